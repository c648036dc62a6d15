import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import type { FindFaces } from '../../../../containers/insight/faces/face-model.ts'
import { seePeople } from '../../../../containers/insight/follow/see-people.ts'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const face = (left: number, wide: number) => {
  return { left, right: left + wide, top: 0.3, bottom: 0.3 + wide, score: 0.9, isSure: true }
}

/** Which of the looks at each of the people were followed by readings of the mouth. */
async function watchedLooks(isHeard: boolean): Promise<boolean[][]> {
  const file = await makeFile('mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=2'])
  const tools = await aToolContext()
  await copyFile(file, path.join(tools.folder, 'in0'))
  const facts = await measureMedia(tools, { path: 'in0', field: 'fileUrl', maxSeconds: 60 })
  let looks = 0
  const [shot] = await seePeople(tools, openClip('in0', facts, {}), {
    ...{ name: 'seen', isHeard, onSeconds: () => undefined },
    // The right one is found in every second look only, and somebody small is always in the background.
    findFaces: async () => {
      const right = looks++ % 2 === 0 ? [face(0.7, 0.2)] : []
      return [face(0.1, 0.2), ...right, face(0.45, 0.05)]
    },
    findBodies: async () => {
      throw new Error('It looks for bodies beside faces')
    },
  })
  return shot?.people.map((person) => person.map(({ mouth }) => mouth !== undefined)) ?? []
}

describe('seePeople', () => {
  it('watches every mouth of size until the next look, also while another face is not found', async () => {
    const [left, right, background] = (await watchedLooks(true)).toSorted(
      (a, b) => b.filter(Boolean).length - a.filter(Boolean).length,
    )
    expect(left?.length).toBeGreaterThan(6)
    // Nothing comes after the last look.
    expect(left?.slice(0, -1)).not.toContain(false)
    expect(right).not.toContain(true)
    expect(background).not.toContain(true)
  })

  it('watches none if the film has no sound', async () => {
    const looks = (await watchedLooks(false)).flat()
    expect(looks.length).toBeGreaterThan(12)
    expect(looks).not.toContain(true)
  })

  /** Two shots, each of one colour. */
  async function seeTwoShots(findFaces: FindFaces): Promise<void> {
    const shot = (color: string, seconds: number) => `color=${color}:s=320x180:r=25:d=${seconds}`
    const cut = ['-f', 'lavfi', '-i', shot('gray', 1.6), '-f', 'lavfi', '-i', shot('white', 0.4)]
    const file = await makeFile('mp4', [...cut, '-filter_complex', 'concat=n=2'])
    const tools = await aToolContext()
    await copyFile(file, path.join(tools.folder, 'in0'))
    const facts = await measureMedia(tools, { path: 'in0', field: 'fileUrl', maxSeconds: 60 })
    await seePeople(tools, openClip('in0', facts, {}), {
      ...{ name: 'seen', isHeard: false, onSeconds: () => undefined },
      ...{ findFaces, findBodies: async () => [] },
    })
  }

  it('looks for a small face in all pixels for two seconds after it was found in them', async () => {
    const wide: number[] = []
    await seeTwoShots(async ({ picture }) => {
      wide.push(picture.width)
      return wide.length === 2 ? [face(0.1, 0.08)] : []
    })
    // Halved first, then as it is, in each of nine looks.
    expect(wide).toEqual(Array.from({ length: 18 }, (_, i) => (i % 2 === 0 ? 160 : 320)))
  })

  it('has a face checked again once a second, and in another shot', async () => {
    const known: number[] = []
    await seeTwoShots(async (look) => {
      known.push(look.known.length)
      return [face(0.1, 0.2)]
    })
    // One look each 0.24 s.
    expect(known).toEqual([0, 1, 1, 1, 0, 1, 1, 0, 0])
  })
})
