import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { PacketUnits } from '../../../../containers/cuts/bits/packet-units.ts'
import type { FilmDescription } from '../../../../containers/cuts/cut-model.ts'
import { faultOfFilm } from '../../../../containers/cuts/proof/prove-film.ts'
import { faultBeforeCut, unitFaults } from '../../../../containers/cuts/plan/unit-faults.ts'
import { captionedVideo, captionName } from '../../../support/containers/films/closed-captions.ts'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { cutFilm, findCutting } from '../../../support/containers/films/cut-film.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'

const removed = [{ from: 26, to: 33 }]
const fault = 'its pictures have closed captions'

describe('closed captions among the pictures', () => {
  it('keep a film from being cut as it is stored, because they tell what was removed', async () => {
    const source = await captionedVideo(() => 'What is said')
    expect((await findCutting(source, removed)).choice).toEqual({ why: fault })
  })

  it('are found by the proof if only some pictures have them', async () => {
    const source = await captionedVideo((n) => (n === 50 ? 'A secret' : undefined))
    const { tools, result, cutting, film } = await cutFilm(source, removed)
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBe(fault)
  })

  it('go with pictures that are removed, and say nothing of a film that is not cut', async () => {
    const source = await captionedVideo((n) => (n === 30 ? 'A secret' : undefined))
    for (const gone of [removed, []]) {
      const { tools, result, cutting, film } = await cutFilm(source, gone)
      expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    }
  })

  it('are not encoded again if something is removed', async () => {
    const source = await captionedVideo(() => 'What is said')
    const keepsCaptions = async (options: Record<string, unknown>) => {
      const { file } = await renderVideo([{ file: source }], { compressionQuality: 60, ...options })
      return (await readFile(file)).includes(captionName)
    }
    expect(await keepsCaptions({})).toBe(true)
    expect(await keepsCaptions({ removeSegments: [{ startTime: 1, endTime: 1.5 }] })).toBe(false)
  })
})

describe('pictures that nobody sees', () => {
  it('are not copied if the header of HEVC allows pictures that are decoded and not shown', async () => {
    const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1']
    const params = ['-pix_fmt', 'yuv420p', '-x265-params', 'log-level=error:keyint=20']
    const source = await countedVideo({
      ...{ seconds: 3, fps: 25, sound: null },
      coding: [...x265, ...params],
    })
    const { cutting, tools } = await cutFilm(source, removed)
    const description = Buffer.from(cutting.source.model.description)
    // A picture parameter set that has neither `dependent_slice_segments_enabled_flag` nor `output_flag_present_flag`.
    const at = description.indexOf('4401c0', 0, 'hex') + 2
    description[at] = 0xd0
    await using units = new PacketUnits(tools.folder, cutting.source)
    const faultOf = async (model: FilmDescription) =>
      faultBeforeCut(units, { ...cutting.source, model }, cutting.pieces)
    expect(await faultOf(cutting.source.model)).toBeUndefined()
    expect(await faultOf({ ...cutting.source.model, description })).toBe(
      'some of its pictures may be hidden',
    )
  })

  it('are found in the packets of others, which have to be whole', async () => {
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20']
    const source = await countedVideo({ seconds: 3, fps: 25, sound: null, coding })
    const { cutting } = await cutFilm(source, removed)
    const slice = Buffer.from([0, 0, 0, 4, 0x41, 0x9a, 0x20, 0x80])
    const next = Buffer.from([0, 0, 0, 4, 0x41, 0x1a, 0x20, 0x80])
    const faultOf = unitFaults(cutting)
    expect(faultOf(Buffer.concat([slice, next, slice]), 2)).toBeUndefined()
    expect(faultOf(Buffer.concat([slice, next, slice]), 1)).toBe(
      'some of its packets hold several pictures',
    )
    const cutOff = Buffer.concat([slice, slice.subarray(0, 6)])
    expect(faultOf(cutOff, 2)).toBe('some of its packets are damaged')
  })
})
