import { describe, expect, it } from 'vitest'
import { languageCode } from '../../../containers/speech/language-code.ts'

describe('languageCode', () => {
  it('is the code of a language, in whichever usual way it is named', () => {
    const named = {
      english: 'en',
      Spanish: 'es',
      'pt-BR': 'pt',
      'zh-CN': 'zh',
      zh_Hant: 'zh',
      eng: 'en',
      chinese: 'zh',
      mandarin: 'zh',
      cantonese: 'yue',
      greek: 'el',
      finnish: 'fi',
      no: 'no',
      nb: 'no',
      'nn-NO': 'no',
      norwegian: 'no',
      nynorsk: 'no',
      danish: 'da',
      swedish: 'sv',
      polish: 'pl',
      turkish: 'tr',
      hindi: 'hi',
      arabic: 'ar',
      korean: 'ko',
      japanese: 'ja',
      'haitian creole': 'ht',
      myanmar: 'my',
      maori: 'mi',
      iw: 'he',
    }
    const codes = Object.keys(named).map((name) => [name, languageCode(name)])
    expect(Object.fromEntries(codes)).toEqual(named)
  })

  it('is undetermined for a text that names no language', () => {
    const garbage = [undefined, null, '', 'klingonish', 'zz', '12', '<b>', 'x-private']
    expect(new Set(garbage.map(languageCode))).toEqual(new Set(['und']))
  })
})
