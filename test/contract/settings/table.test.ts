import { describe, expect, it } from 'vitest'
import { readSetting, readSettingsFor } from '../../../worker/contract/settings/read-settings.ts'
import type { Setting } from '../../../worker/contract/settings/setting.ts'
import { operatorSettings, settingsTable } from '../../../worker/contract/settings/table.ts'

const entries: [string, Setting][] = Object.entries(settingsTable)
const machine = { cores: 4 }

describe('settingsTable', () => {
  it.each(operatorSettings)('gives an example of %s that is accepted', (_name, setting) => {
    expect(readSetting(setting, setting.example, true)).toHaveProperty('value')
  })

  it.each(entries)('reads the default of %s like a text that was given', (_name, setting) => {
    const { fallback, neededBy } = setting
    const text = typeof fallback === 'function' ? fallback(machine) : fallback
    expect(readSetting(setting, text, false)).toHaveProperty('value')
    expect(fallback === undefined || neededBy === undefined).toBe(true)
  })

  it.each(entries)('names no reader of %s that needs it without reading it', (_name, setting) => {
    for (const reader of setting.neededBy ?? []) expect(setting.readBy).toContain(reader)
  })
})

describe('readSettingsFor', () => {
  const needed = { MEDIA_WORKER_TOKEN: 'sixteen-letters-or-more' }

  it('reads the settings of its program, and nothing else', () => {
    const { values } = readSettingsFor('media', { ...needed, MAX_PIXELS: '7', PORT: '1' }, machine)
    expect(values).toMatchObject({ MAX_PIXELS: 7, FFMPEG_THREADS: 4, MEDIA_SLOTS: 2 })
    expect(values).not.toHaveProperty('PORT')
  })

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 2],
    [8, 4],
  ])('lets a media worker of %i cores run %i jobs at once', (cores, slots) => {
    const { values } = readSettingsFor('media', needed, { cores })
    expect(values?.MEDIA_SLOTS).toBe(slots)
  })

  it('reads a number like its text, because wrangler may pass numbers', () => {
    const { values } = readSettingsFor('media', { ...needed, MAX_PIXELS: 7 }, machine)
    expect(values?.MAX_PIXELS).toBe(7)
  })

  it('names every setting that is wrong or missing, each rule once', () => {
    expect(
      readSettingsFor('media', { MAX_PIXELS: 'many', SPEECH_TIMEOUT_SECONDS: '0' }, machine),
    ).toEqual({
      faults: [
        { name: 'MEDIA_WORKER_TOKEN', rule: 'is required' },
        { name: 'MAX_PIXELS', rule: 'must be a whole number from 1 to 1099511627776' },
        { name: 'SPEECH_TIMEOUT_SECONDS', rule: 'must be a number of seconds above 0' },
      ],
    })
  })
})
