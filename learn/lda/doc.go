// Package lda learns the topics of documents by latent Dirichlet allocation: each document is a
// mixture of topics, drawn from a Dirichlet distribution, and each of its words is drawn from the
// distribution of one topic.
//
// Data: discrete columns, one row for each word of a document, or with a column of counts one for
// each different word. The first column names the document and the others hold the word; several of
// them, such as a word and its kind, are independent given the topic. A row of weight 2.5 is two
// words and a half. Rows without a document are left out, and missing words have no say.
//
// Result: a Bayesian network document -> topic -> word with a latent topic, which has the posterior
// means of the parameters given one assignment of topics to words: the most probable one that the
// sampler met in the second half of its sweeps. The states of the topic are in the order of their
// shares of the words. A single assignment, and not an average, since topics may swap their numbers
// from sweep to sweep. Validation data, further words of the same documents, measure it by the
// perplexity of document completion.
//
// Guarantee: the sampler's limit is the exact posterior distribution; there is none for how soon.
// Cost: a sweep takes the number of words times topics.
//
// Sources: Blei, Ng and Jordan 2003, Latent Dirichlet allocation; Griffiths and Steyvers 2004,
// Finding scientific topics, for collapsed Gibbs sampling; Koller and Friedman, box 17.E.
package lda
