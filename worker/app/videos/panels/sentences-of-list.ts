/**
 * How many sentences a list has. Browsers lay a list out when it is scrolled into view; with one list for all, they would check
 * each of thousands of sentences for every picture.
 */
export const sentencesOfList = 20
