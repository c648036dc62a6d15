import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import { damagedPicture } from '../../../../containers/job/check/damaged-packets.ts'
import { readTables } from '../../../../containers/job/check/film-tables.ts'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import type { Rendered } from '../../../../containers/job/render/run-plan.ts'
import { spoilFile } from '../../../support/containers/faulty-ffmpeg.ts'
import {
  filmOf,
  planOf,
  withFile,
  expectPassed,
} from '../../../support/containers/films/checked-film.ts'
import {
  plantedFaults,
  sourcesToSpoil,
  spoiltOptions,
  type PlantedFault,
} from '../../../support/containers/films/planted-faults.ts'
import { campaignAfter } from '../../../support/node/campaign.ts'
import { directoryForAll } from '../../../support/node/directories.ts'

const kinds = Object.keys(spoiltOptions) as PlantedFault['of'][]

const made = new Map<PlantedFault['of'], { readonly planned: Planned; readonly film: Rendered }>()
const films = directoryForAll()

/** A film that came out as it had to, made once for all of its faults. */
async function filmFor(of: PlantedFault['of']) {
  const known = made.get(of)
  if (known) return known
  const own = path.join(films, of)
  await mkdir(own)
  const planned = await planOf(await sourcesToSpoil(of), spoiltOptions[of], own)
  const one = { planned, film: await filmOf(planned) }
  made.set(of, one)
  return one
}

for (const [i, of] of kinds.entries()) {
  it(
    `finds nothing in a film that came out as it had to: ${of}`,
    {
      tags: campaignAfter(1, i),
    },
    async () => {
      const { planned, film } = await filmFor(of)
      const checks = await expectPassed(planned, film)
      expect(checks.length).toBe(15)
    },
  )
}

/** Those of the film that is made for the first of them. */
const quickFaults = 10

for (const [i, [name, fault]] of Object.entries(plantedFaults).entries()) {
  it(`finds that ${name}`, { tags: campaignAfter(quickFaults, i) }, async () => {
    const { planned, film } = await filmFor(fault.of)
    const { folder } = planned.context.tools
    await copyFile(path.join(folder, film.name), path.join(folder, 'spoilt-here.mp4'))
    spoilFile(folder, 'spoilt-here.mp4', fault.how)
    const spoilt = await withFile(planned, film, path.join(folder, 'spoilt-here.mp4'))
    const checks = await checkFilm(planned, spoilt)
    const found = checks.filter(({ result }) => result !== 'passed')
    expect(found.map((one) => one.name)).toContain(fault.check)
  })
}

it('finds bytes that were never written, without decoding any', async () => {
  const { planned, film } = await filmFor('plain')
  const { tools } = planned.context
  const damagedIn = async (name: string) => {
    const { picture } = await readTables(tools, { ...film, name })
    const { folder, signal } = tools
    return damagedPicture(path.join(folder, name), picture, { isInUnits: true, signal })
  }
  await copyFile(path.join(tools.folder, film.name), path.join(tools.folder, 'holes.mp4'))
  spoilFile(tools.folder, 'holes.mp4', plantedFaults['packets are empty']?.how ?? '')
  expect(await damagedIn('holes.mp4')).toBeGreaterThan(0)
  expect(await damagedIn(film.name)).toBeUndefined()
})
