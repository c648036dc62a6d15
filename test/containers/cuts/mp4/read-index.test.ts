import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readIndex } from '../../../../containers/cuts/mp4/read-index.ts'
import { measurePacking } from '../../../../containers/ffmpeg/measure-packing.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const drawn = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=30000/1001:d=2']
const heard = ['-f', 'lavfi', '-i', 'sine=440:d=2']
const coded = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '20', '-c:a', 'aac']

it.each([
  ['pictures out of order, beside a sound', [...drawn, ...heard, ...coded]],
  ['a picture that comes late', [...heard, '-itsoffset', '0.4', ...drawn, ...coded]],
  ['positions of 64 bits in front', [...drawn, ...coded, '-movflags', '+faststart']],
])('reads of the index what a program reads: %s', async (_, how) => {
  const file = await makeFile('mp4', how)
  const tools = await aToolContext({ folder: path.dirname(file) })
  const tracks = await readIndex(file)
  const index = tracks?.findIndex(({ keys }) => keys.includes(0)) ?? -1
  const packing = await measurePacking(tools, path.basename(file), {
    ...{ format: 'mp4', video: { index } },
  })
  const track = tracks?.[index]
  const rounded = (values: Float64Array = new Float64Array()) =>
    Array.from(values, (value) => Math.round(value * 1e5))
  expect(rounded(track?.at)).toEqual(rounded(packing.shownAt))
  expect(track?.sizes).toEqual(packing.sizes)
  expect(track?.positions).toEqual(packing.positions)
  expect(track?.keys).toEqual(packing.keys)
  expect(track?.hidden).toEqual(packing.hidden)
})

it('counts from where a file begins, and tells when that is', async () => {
  const late = await readIndex(
    await makeFile('mp4', [...drawn, ...coded, '-output_ts_offset', '0.4']),
  )
  expect(late?.[0]?.at[0]).toBeCloseTo(0, 3)
  expect(late?.[0]?.beginSeconds).toBeCloseTo(0.4, 2)
  const usual = await readIndex(await makeFile('mp4', [...drawn, ...heard, ...coded]))
  expect(usual?.map(({ beginSeconds }) => beginSeconds)).toEqual([0, 0])
})

it('leaves files to a program whose index does not say all of it', async () => {
  const fragments = ['-movflags', 'frag_keyframe+empty_moov']
  expect(await readIndex(await makeFile('mp4', [...drawn, ...coded, ...fragments]))).toBeUndefined()
  const whole = await makeFile('mp4', [...drawn, ...coded, '-movflags', '+faststart'])
  const cutOff = `${whole}.cut-off.mp4`
  writeFileSync(cutOff, readFileSync(whole))
  truncateSync(cutOff, readFileSync(whole).length - 500)
  expect(await readIndex(cutOff)).toBeUndefined()
  expect(await readIndex(whole)).toHaveLength(1)
})
