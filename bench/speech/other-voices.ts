import { execFile } from 'node:child_process'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type VoiceFiles = {
  readonly name: string
  readonly isEnglish: boolean
  readonly files: readonly string[]
}

type Source = {
  readonly debianPackage: string
  readonly isEnglish: boolean
  readonly folders: Record<string, string>
}

const cartoon = 'usr/share/games/hedgewars/Data/Sounds/voices'
const words = 'usr/share/ktuberling/sounds'

/**
 * Voices that were not used to choose any weight: announcements of telephone exchanges, sentences of a game, cries of
 * cartoon characters, lists of single words.
 */
const sources: readonly Source[] = [
  {
    debianPackage: 'hedgewars-data',
    isEnglish: true,
    folders: Object.fromEntries(
      ['British', 'Classic', 'Default', 'Pirate', 'Robot', 'Singer'].map((voice) => [
        `cries, ${voice}`,
        `${cartoon}/${voice}/*.ogg`,
      ]),
    ),
  },
  {
    debianPackage: 'asterisk-core-sounds-es-wav',
    isEnglish: false,
    folders: { 'sentences, Spanish': 'usr/share/asterisk/sounds/es_MX_f_Allison/*-*-*.wav' },
  },
  {
    debianPackage: 'asterisk-core-sounds-ru-wav',
    isEnglish: false,
    folders: { 'sentences, Russian': 'usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU/*-*-*.wav' },
  },
  {
    debianPackage: 'fillets-ng-data-cs',
    isEnglish: false,
    folders: { 'dialogue, Czech': 'usr/share/games/fillets-ng/sound/*/cs/*-v-*.ogg' },
  },
  {
    debianPackage: 'ktuberling-data',
    isEnglish: false,
    folders: Object.fromEntries(
      ['el', 'fr', 'gl', 'nl', 'pt', 'ru', 'wa'].map((code) => [
        `words, ${code}`,
        `${words}/${code}/*.{wav,ogg}`,
      ]),
    ),
  },
]

/** Downloads the packages from the Debian mirror of this machine. */
export async function fetchOtherVoices(folder: string): Promise<VoiceFiles[]> {
  const names = sources.map(({ debianPackage }) => debianPackage)
  await run('apt-get', ['download', ...names], { cwd: folder })
  const voices: VoiceFiles[] = []
  for (const { debianPackage, isEnglish, folders } of sources) {
    const [archive] = await filesOf(`${debianPackage}_*.deb`, folder)
    if (archive === undefined) throw new Error(`apt-get brought no ${debianPackage}`)
    const unpacked = path.join(folder, debianPackage)
    await run('dpkg-deb', ['-x', archive, unpacked])
    for (const [name, pattern] of Object.entries(folders)) {
      const files = await filesOf(pattern, unpacked)
      voices.push({
        name,
        isEnglish,
        files,
      })
    }
  }
  return voices
}

async function filesOf(pattern: string, folder: string): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob(pattern, { cwd: folder })) files.push(path.join(folder, file))
  return files.sort()
}
