/** Words that continue what was said before, which is not in the clip. */
const leaningWords: Readonly<Record<string, RegExp>> = {
  en: /^(?:and|but|so|or|because|it|they|he|she|this|that|these|those|which|also|then|therefore|however)(?!\p{L})/iu,
  de: /^(?:und|aber|oder|denn|dann|er|es|sie|das|dies|also|deshalb|seitdem|trotzdem)(?!\p{L})/iu,
  fr: /^(?:et|mais|ou|donc|alors|ils?|elles?|ça|c['’]est|puis|ensuite)(?!\p{L})/iu,
  es: /^(?:y|pero|o|entonces|ellas?|ellos|eso|esto|así|después)(?!\p{L})/iu,
  it: /^(?:e|ma|o|però|quindi|lui|lei|loro|questo|quello|poi|allora)(?!\p{L})/iu,
  pt: /^(?:e|mas|ou|então|eles?|elas?|isso|isto|depois)(?!\p{L})/iu,
  nl: /^(?:en|maar|of|want|dus|dan|toen|hij|zij|ze|het|dat|dit)(?!\p{L})/iu,
  pl: /^(?:a|i|ale|bo|lub|więc|to|on|ona|oni|one|potem|wtedy|dlatego)(?!\p{L})/iu,
}

export function leansBack(text: string, language: string): boolean {
  return leaningWords[language]?.test(text) ?? false
}

const greetings =
  /^¡?(?:welcome|hello|hi|hey|good (?:morning|afternoon|evening)|thanks?|hallo|guten (?:morgen|tag|abend)|(?:herzlich )?willkommen|bonjour|bonsoir|hola|buen[oa]s (?:d[ií]as|tardes|noches)|bienvenid[oa]s|ciao|buongiorno|buonasera|olá|bom dia|boa (?:tarde|noite)|goede(?:morgen|middag|navond)|dzień dobry|cześć|witam)(?!\p{L})/iu

export function greets(text: string): boolean {
  return greetings.test(text)
}
