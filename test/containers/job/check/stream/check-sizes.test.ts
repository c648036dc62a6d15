import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  compareSizes,
  faultOfPlaylist,
} from '../../../../../containers/job/check/stream/check-stream.ts'
import { ffmpeg } from '../../../../support/containers/run-tool.ts'
import { aFolder, aToolContext } from '../../../../support/containers/tool-context.ts'

it('finds a size of a stream that shows something else than the largest', async () => {
  const tools = await aToolContext()
  const sides = { large: [160, 90], small: [96, 54], mirrored: [96, 54], grey: [96, 54] } as const
  const filters = { mirrored: 'hflip', grey: 'hue=s=0' }
  const filtersOf = ({ filter, size }: { filter: string; size: readonly number[] }) => [
    '-vf',
    `${filter},scale=${size.join(':')}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
  ]
  for (const [name, size] of Object.entries(sides)) {
    const filter = Object.entries(filters).find(([of]) => of === name)?.[1] ?? 'null'
    const coding = [...filtersOf({ filter, size }), '-g', '10', '-pix_fmt', 'yuv420p']
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=2,scroll=h=0.02']
    await ffmpeg([...source, ...coding, path.join(tools.folder, `${name}.mp4`)])
  }
  const fragments = [0, 1].map(() => ({
    offset: 0,
    bytes: 0,
    firstBytes: 0,
    seconds: 1,
    isEntry: true,
  }))
  const sizeOf = (name: keyof typeof sides) => {
    const [width, height] = sides[name]
    const rung = { name: height, width, height }
    return {
      name: `${name}.mp4`,
      list: '',
      rung,
      stored: { width, height },
      codec: 'avc1.640000',
      fragments,
    }
  }
  const found = async (name: keyof typeof sides) =>
    compareSizes(tools, [sizeOf('large'), sizeOf(name)])
  expect(await found('small')).toEqual([])
  const [mirrored, ...others] = [...(await found('mirrored')), ...(await found('grey'))]
  expect(mirrored).toMatchObject({ name: 'pictures', result: 'failed' })
  expect(mirrored?.message).toMatch(/96 × 54 .* mirrored/)
  expect(others).toMatchObject([{ name: 'pictures', result: 'failed' }])
  const smaller = { ...sizeOf('small'), stored: { width: 80, height: 46 } }
  expect(await compareSizes(tools, [sizeOf('large'), smaller])).toMatchObject([{ name: 'size' }])
})

it('holds what a playlist says against its film', async () => {
  const folder = await aFolder()
  await writeFile(path.join(folder, 'film.mp4'), Buffer.alloc(100))
  const faultWith = async (
    segments: readonly (readonly [number, number, number])[],
    end = '#EXT-X-ENDLIST',
  ) => {
    const entries = segments.flatMap(([seconds, bytes, from]) => [
      ...[`#EXTINF:${seconds.toFixed(6)},`, `#EXT-X-BYTERANGE:${bytes}@${from}`, 'film.mp4'],
    ])
    const head = '#EXT-X-MAP:URI="film.mp4",BYTERANGE="20@0"'
    await writeFile(path.join(folder, 'list.m3u8'), ['#EXTM3U', head, ...entries, end].join('\n'))
    return faultOfPlaylist(folder, { name: 'film.mp4', list: 'list.m3u8', due: 6 })
  }
  expect(
    await faultWith([
      [4, 50, 20],
      [2, 30, 70],
    ]),
  ).toBeUndefined()
  expect(await faultWith([[4, 50, 20]])).toMatch(/lasts 4 s; 6 s/)
  expect(
    await faultWith([
      [4, 50, 20],
      [2, 20, 80],
    ]),
  ).toMatch(/leaves out bytes 70 to 80/)
  expect(
    await faultWith([
      [4, 50, 20],
      [2, 31, 70],
    ]),
  ).toMatch(/does not have/)
  expect(
    await faultWith(
      [
        [4, 50, 20],
        [2, 30, 70],
      ],
      '',
    ),
  ).toMatch(/not whole/)
})
