const mark = /[.!?…。！？।؟]["'”’»」』)\]]*$/u
/** "J." is followed by the rest of a name, and so is "Dr." */
const initial = /^["'“„«(]?\p{Lu}\.$/u
const title =
  /^["'“„«(]?(?:mr|mrs|ms|dr|st|prof|jr|sr|gov|rep|gen|lt|capt|sgt|rev|vs|etc|e\.g|i\.e)\.$/iu
/** In English, some of these are words that end a sentence, as "p.m." does. */
const elsewhere =
  /^["'“„«(]?(?:nr|núm|bzw|ca|vgl|hr|fr|sog|inkl|sra|srta|pág|dott|mme|mlle|mgr|inż|np|tzn|tzv|např|tj|\p{L}{1,2}(?:\.\p{L}{1,2})+)\.$/iu
/** Languages that write a stop after the number of a day, a king or a floor: "am 3. Oktober". */
const ordinals = 'bs cs da de et eu fi hr hu is lb lv no pl sk sl sr tr'.split(' ')
const ordinal = /^["'“„«(]?(?:\d{1,3}|[IVX]+)\.$/u

/** Whether a sentence ends after this word. */
export function endsSentence(word: string, language: string): boolean {
  if (!mark.test(word) || initial.test(word) || title.test(word)) return false
  if (language === 'en') return true
  return !elsewhere.test(word) && !(ordinals.includes(language) && ordinal.test(word))
}
