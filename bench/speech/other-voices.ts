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
const exchange = (code: string): Source => ({
  debianPackage: `asterisk-core-sounds-${code.slice(0, 2)}-wav`,
  isEnglish: code.startsWith('en'),
  folders: { [`sentences, ${code}`]: `usr/share/asterisk/sounds/${code}_*/*-*-*.wav` },
})
const cries = (voices: readonly string[]): Record<string, string> =>
  Object.fromEntries(voices.map((voice) => [`cries, ${voice}`, `${cartoon}/${voice}/*.ogg`]))

/**
 * Voices that were not used to choose any weight or limit: announcements of telephone exchanges, sentences of a game, cries of
 * cartoon characters that are hard to understand.
 */
const sources: readonly Source[] = [
  exchange('en_US'),
  {
    debianPackage: 'hedgewars-data',
    isEnglish: true,
    folders: cries(['British', 'Default', 'HillBilly', 'Mobster', 'Pirate', 'Robot', 'Surfer']),
  },
  ...['es_MX', 'fr_CA', 'it_IT', 'ru_RU'].map(exchange),
  {
    debianPackage: 'hedgewars-data',
    isEnglish: false,
    folders: cries(['Default_es', 'Default_pl', 'Default_ru', 'Default_uk']),
  },
  {
    debianPackage: 'fillets-ng-data-cs',
    isEnglish: false,
    folders: { 'dialogue, Czech': 'usr/share/games/fillets-ng/sound/*/cs/*-v-*.ogg' },
  },
]

/** Downloads the packages from the Debian mirror of this machine. */
export async function fetchOtherVoices(folder: string): Promise<VoiceFiles[]> {
  const names = [...new Set(sources.map(({ debianPackage }) => debianPackage))]
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
