// Package xmltext reads XML for the formats based on it, with a position in the file for every
// element, text and word.
//
// It adds to encoding/xml what an untrusted model file needs: the one-byte encodings of tools of
// the field, columns that count bytes of the file on disk, positions of the words in a text, and a
// limit on the nesting of elements. It rejects entities other than the five of XML, so that none
// can expand.
//
// It does not know formats or name spaces, and it skips the declarations of a DOCTYPE.
package xmltext
