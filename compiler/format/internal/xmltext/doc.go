// Package xmltext reads XML for the formats that are XML, with a position in the file for every element, text and word.
//
// It is encoding/xml with what an untrusted model file needs: the one-byte encodings that tools of the field write, columns
// that count bytes of the file as it stands on disk, words of a text with the place of each, and a limit on how deep
// elements may nest. Entities other than the five of XML are refused, so none can expand.
//
// It knows no format, no name spaces and no document type: what a DOCTYPE declares is passed over.
package xmltext
