/**
 * Browsers lay out a list of sentences when it is scrolled into view. With one list for all of them, they would ask for each of
 * thousands of sentences whether it is in view, in every picture.
 */
export const sentencesOfList = 20
