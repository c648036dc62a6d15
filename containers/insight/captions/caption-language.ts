/** ISO 639-2 of languages that are spoken in videos; containers want three letters. */
const threeLetters: Readonly<Record<string, string>> = {
  ...{ af: 'afr', am: 'amh', ar: 'ara', az: 'aze', be: 'bel', bg: 'bul', bn: 'ben', bs: 'bos' },
  ...{ ca: 'cat', cs: 'ces', cy: 'cym', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa' },
  ...{ et: 'est', eu: 'eus', fa: 'fas', fi: 'fin', fr: 'fra', ga: 'gle', gl: 'glg', gu: 'guj' },
  ...{ he: 'heb', hi: 'hin', hr: 'hrv', hu: 'hun', hy: 'hye', id: 'ind', is: 'isl', it: 'ita' },
  ...{ ja: 'jpn', ka: 'kat', kk: 'kaz', km: 'khm', kn: 'kan', ko: 'kor', lo: 'lao', lt: 'lit' },
  ...{ lv: 'lav', mk: 'mkd', ml: 'mal', mn: 'mon', mr: 'mar', ms: 'msa', my: 'mya', ne: 'nep' },
  ...{ nl: 'nld', no: 'nor', pa: 'pan', pl: 'pol', ps: 'pus', pt: 'por', ro: 'ron', ru: 'rus' },
  ...{ si: 'sin', sk: 'slk', sl: 'slv', so: 'som', sq: 'sqi', sr: 'srp', sv: 'swe', sw: 'swa' },
  ...{ ta: 'tam', te: 'tel', th: 'tha', tl: 'tgl', tr: 'tur', uk: 'ukr', ur: 'urd', uz: 'uzb' },
  ...{ vi: 'vie', yi: 'yid', zh: 'zho' },
}

/** The language of a track of captions; `und` if it is not known. */
export function captionLanguage(code: string): string {
  return threeLetters[code] ?? (code.length === 3 ? code : 'und')
}
