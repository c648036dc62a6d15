import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  profilesFile,
  readProfiles,
  writeProfiles,
} from '../../../../client/src/cli/session/profiles.ts'
import { directoryForAll } from '../../../support/node/directories.ts'

const folder = directoryForAll()

describe('where keys are kept', () => {
  const at = { platform: 'linux', homeFolder: '/home/ada', env: {} }

  it('is where each system has settings of a person', () => {
    expect(profilesFile(at)).toBe('/home/ada/.config/spool/credentials.json')
    expect(profilesFile({ ...at, env: { XDG_CONFIG_HOME: '/x' } })).toBe(
      '/x/spool/credentials.json',
    )
    expect(profilesFile({ ...at, env: { XDG_CONFIG_HOME: 'x' } })).toBe(profilesFile(at))
  })

  it('is a file that only the person can read, also when others could read the former one', async () => {
    const file = path.join(folder, 'new', 'credentials.json')
    const profiles = { default: { baseUrl: 'http://127.0.0.1:8787', apiKey: 'spool_a' } }
    await writeProfiles(file, profiles)
    await writeFile(file, '{}', { mode: 0o644 })
    await writeProfiles(file, profiles)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700)
    expect(await readProfiles(file)).toEqual(profiles)
  })

  it('is gone when the last key is', async () => {
    const file = path.join(folder, 'last.json')
    await writeProfiles(file, { default: { baseUrl: 'http://x', apiKey: 'k' } })
    await writeProfiles(file, {})
    expect(await readProfiles(file)).toEqual({})
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('says so when the file is damaged', async () => {
    const file = path.join(folder, 'damaged.json')
    await writeFile(file, '{ "profiles": ')
    await expect(readProfiles(file)).rejects.toThrow(`${file} is not valid JSON.`)
  })
})
