import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { readdir } from 'node:fs/promises'
import type { SpokenSentence } from './make-sample.ts'
import said from './said.json' with { type: 'json' }
import { readSound, trimmed } from '../../test/support/containers/sound/voices.ts'

const run = promisify(execFile)

/** Announcements for telephone exchanges by Allison Smith, CC BY-SA 3.0, at 8 kHz as on a telephone. */
const debianPackage = 'asterisk-core-sounds-en-wav'
const soundFolder = 'usr/share/asterisk/sounds/en_US_f_Allison'

/** Downloads the package from the Debian mirror of this machine. */
export async function fetchPeople(folder: string): Promise<SpokenSentence[]> {
  await run('apt-get', ['download', debianPackage], { cwd: folder })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'))
  if (archive === undefined) throw new Error(`apt-get brought no ${debianPackage}`)
  await run('dpkg-deb', ['-x', path.join(folder, archive), folder])
  const spoken: SpokenSentence[] = []
  for (const [name, text] of Object.entries(said.announcements)) {
    const file = path.join(folder, soundFolder, `${name}.wav`)
    spoken.push({ text, samples: trimmed(await readSound(['-i', file])) })
  }
  return spoken
}
