import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuiltInFont } from '../../worker/contract/options/captions/fonts.ts'

/** A font file of the system, and the index of a font in it. */
export type FontFile = { readonly name: string; readonly index: number }

type FontWeight = 'Regular' | 'Bold'

const files: Record<BuiltInFont, { file: string; weight: FontWeight }> = {
  Inter: { file: 'Inter-Regular.otf', weight: 'Regular' },
  'Inter Medium': { file: 'Inter-Medium.otf', weight: 'Regular' },
  'Inter Bold': { file: 'Inter-Bold.otf', weight: 'Bold' },
  'Inter Black': { file: 'Inter-Black.otf', weight: 'Bold' },
  'Noto Sans': { file: 'NotoSans-Regular.ttf', weight: 'Regular' },
  'Noto Sans Bold': { file: 'NotoSans-Bold.ttf', weight: 'Bold' },
  'Noto Serif': { file: 'NotoSerif-Regular.ttf', weight: 'Regular' },
  'Noto Serif Bold': { file: 'NotoSerif-Bold.ttf', weight: 'Bold' },
}

/** The fonts for a letter that the wanted font lacks, best first. */
export function standIns(letter: string, weight: FontWeight, language: string): FontFile[] {
  const found = scripts.filter(([, script]) => script.test(letter)).map(([name]) => name)
  const chinese = han.test(letter) ? cjkFonts(weight, language) : []
  const emoji = { name: `NotoEmoji_${emojiWeights[weight]}.ttf`, index: 0 }
  if (/\p{Emoji_Presentation}/u.test(letter)) return [emoji, symbola]
  const names = ['NotoSans', ...found, 'NotoSansSymbols', 'NotoSansSymbols2', 'NotoSansMath']
  const plain = names.flatMap((name) =>
    [...new Set([weight, 'Regular'])].map((one) => ({ name: `${name}-${one}.ttf`, index: 0 })),
  )
  return [...chinese, ...plain, emoji, symbola]
}

const emojiWeights: Record<FontWeight, string> = { Regular: '400Regular', Bold: '700Bold' }
const symbola: FontFile = { name: 'Symbola_hint.ttf', index: 0 }

export function fontFileOf(font: BuiltInFont): FontFile & { weight: FontWeight } {
  const { file, weight } = files[font]
  return { name: file, index: 0, weight }
}

const han =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u30FF\uFF00-\uFFEF]/u

/** The shapes of one character differ between languages; the file has a font for each. */
const cjkIndex: Readonly<Record<string, number>> = { ja: 0, ko: 1, zh: 2, 'zh-hant': 3, yue: 4 }

function cjkFonts(weight: FontWeight, language: string): FontFile[] {
  return [{ name: `NotoSansCJK-${weight}.ttc`, index: cjkIndex[language] ?? 2 }]
}

/** The language whose shapes of characters a text needs: kana are Japanese, Hangul is Korean. */
export function cjkLanguage(text: string, language = 'und'): string {
  if (language in cjkIndex) return language
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  return /\p{Script=Hangul}/u.test(text) ? 'ko' : 'zh'
}

const scripts: readonly (readonly [file: string, script: RegExp])[] = [
  ['NotoSansArabic', /\p{Script_Extensions=Arabic}/u],
  ['NotoSansHebrew', /\p{Script_Extensions=Hebrew}/u],
  ['NotoSansDevanagari', /\p{Script_Extensions=Devanagari}/u],
  ['NotoSansBengali', /\p{Script_Extensions=Bengali}/u],
  ['NotoSansGurmukhi', /\p{Script_Extensions=Gurmukhi}/u],
  ['NotoSansGujarati', /\p{Script_Extensions=Gujarati}/u],
  ['NotoSansOriya', /\p{Script_Extensions=Oriya}/u],
  ['NotoSansTamil', /\p{Script_Extensions=Tamil}/u],
  ['NotoSansTelugu', /\p{Script_Extensions=Telugu}/u],
  ['NotoSansKannada', /\p{Script_Extensions=Kannada}/u],
  ['NotoSansMalayalam', /\p{Script_Extensions=Malayalam}/u],
  ['NotoSansSinhala', /\p{Script_Extensions=Sinhala}/u],
  ['NotoSansThai', /\p{Script_Extensions=Thai}/u],
  ['NotoSansLao', /\p{Script_Extensions=Lao}/u],
  ['NotoSansKhmer', /\p{Script_Extensions=Khmer}/u],
  ['NotoSansMyanmar', /\p{Script_Extensions=Myanmar}/u],
  ['NotoSansEthiopic', /\p{Script_Extensions=Ethiopic}/u],
  ['NotoSansArmenian', /\p{Script_Extensions=Armenian}/u],
  ['NotoSansGeorgian', /\p{Script_Extensions=Georgian}/u],
  ['NotoSansThaana', /\p{Script_Extensions=Thaana}/u],
  ['NotoSansSyriac', /\p{Script_Extensions=Syriac}/u],
  ['NotoSansNKo', /\p{Script_Extensions=Nko}/u],
  ['NotoSansMongolian', /\p{Script_Extensions=Mongolian}/u],
  ['NotoSansCherokee', /\p{Script_Extensions=Cherokee}/u],
  ['NotoSansCanadianAboriginal', /\p{Script_Extensions=Canadian_Aboriginal}/u],
  ['NotoSansTifinagh', /\p{Script_Extensions=Tifinagh}/u],
  ['NotoSansJavanese', /\p{Script_Extensions=Javanese}/u],
  ['NotoSansBalinese', /\p{Script_Extensions=Balinese}/u],
  ['NotoSansAdlam', /\p{Script_Extensions=Adlam}/u],
]

/** Where systems keep the fonts of all users, and the package with all emoji. */
const roots = [
  ...['/usr/share/fonts', '/usr/local/share/fonts', '/Library/Fonts'],
  fileURLToPath(new URL('.', import.meta.resolve('@expo-google-fonts/noto-emoji'))),
]

let installed: Promise<ReadonlyMap<string, string>> | undefined

/** The path of a font file, wherever this system keeps it; undefined if it is not installed. */
export async function pathOfFont(name: string): Promise<string | undefined> {
  const paths = await (installed ??= listInstalled())
  return paths.get(name)
}

/** The files of all fonts that this system has. */
export async function fontFiles(): Promise<string[]> {
  return [...(await (installed ??= listInstalled())).values()]
}

async function listInstalled(): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    roots.map(async (root) =>
      readdir(root, { recursive: true, withFileTypes: true }).catch(() => []),
    ),
  )
  const entries = found.flat().filter((entry) => /\.(ttf|otf|ttc)$/.test(entry.name))
  return new Map(entries.map(({ name, parentPath }) => [name, path.join(parentPath, name)]))
}
