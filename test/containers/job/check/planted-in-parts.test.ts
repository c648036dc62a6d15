import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import { hashFile, renderPart } from '../../../../containers/parts/make/render-part.ts'
import type { PartCarrier, PartTask } from '../../../../containers/parts/part-carrier.ts'
import { campaignTag } from '../../../../scripts/test/suites.ts'
import { aLivelyVideo, filmOf, planOf } from '../../../support/containers/films/checked-film.ts'
import { carriedBy, slowPaces } from '../../../support/containers/films/film-parts.ts'
import { directoryForAll } from '../../../support/node/directories.ts'

const folder = directoryForAll()
let planned: Planned
beforeAll(async () => {
  const asked = { compressionQuality: 70, split: true }
  const made = await planOf([await aLivelyVideo(40)], asked, folder)
  const job = { ...made.context.job, paces: slowPaces }
  planned = { ...made, context: { ...made.context, job } }
})

type Spec = PartTask['spec']
type Spoil = (file: string, spec: Spec) => void

/** Codes the part again as its maker was asked to, with this filter. */
const again =
  (filter: string): Spoil =>
  (file, { coding, keys, before, count, after }) => {
    const forced = ['-force_key_frames', keys.map((key) => Math.max(0, key - 0.0005)).join(',')]
    const pictures = ['-fps_mode', 'passthrough', '-frames:v', String(before + count + after)]
    const coded = [...new Map<string, string>(coding)].flat()
    const spoilt = `${file}.spoilt.mp4`
    const how = ['-vf', filter, ...coded, ...forced, ...pictures, '-fflags', '+bitexact', spoilt]
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', file, ...how])
    renameSync(spoilt, file)
  }
const withoutLast: Spoil = (file, { before, count, after }) => {
  const spoilt = `${file}.spoilt.mp4`
  const count1 = String(before + count + after - 1)
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    file,
    '-c',
    'copy',
    '-frames:v',
    count1,
    spoilt,
  ])
  renameSync(spoilt, file)
}

/** Media workers of which one spoils a part that no other place shows, before it says which bytes it has. */
function spoiling(spoil: Spoil): PartCarrier {
  const { tools } = planned.context
  let spoilt: number | undefined
  return carriedBy(4, async ({ n, spec }, signal, onProgress) => {
    const made = await renderPart({ ...tools, signal }, spec, onProgress)
    // The lead makes one of the parts itself.
    if (n === 1 || n === 3) spoilt ??= n
    if (n !== spoilt) return { n, ...made }
    const file = path.join(tools.folder, made.file)
    spoil(file, spec)
    return { n, ...made, sha256: await hashFile(file, signal) }
  })
}

async function filmIn(carrier: PartCarrier) {
  const own = { ...planned, context: { ...planned.context, carrier } }
  const film = await filmOf(own)
  const checks = await checkFilm(own, film)
  return { parts: film.plan.parts, found: checks.filter(({ result }) => result !== 'passed') }
}

const shown = {
  'is mirrored': [again('hflip'), 'Its pictures are mirrored'],
  'shows another film': [
    again('geq=lum=128+100*sin(X/37+N/9)*cos(Y/23):cb=128+60*sin(Y/31):cr=120'),
    'It shows something else than was planned',
  ],
  'shows what comes a second later': [
    again('trim=start_frame=25,setpts=N/25/TB,tpad=stop=25:stop_mode=clone'),
    'It shows something else than was planned',
  ],
} as const satisfies Record<string, readonly [Spoil, string]>

for (const [name, [spoil, message]] of Object.entries(shown)) {
  it(`finds that a part ${name}`, { tags: [campaignTag] }, async () => {
    const { parts, found } = await filmIn(spoiling(spoil))
    expect(parts).toMatchObject({ begins: expect.arrayContaining([0]) as unknown })
    expect(found).toContainEqual(
      expect.objectContaining({
        ...{ name: 'pictures', result: 'failed' },
        message: expect.stringMatching(`^${message}: at [13]0\\.?\\d* s`) as string,
      }),
    )
  })
}

it(
  'finds nothing in a film whose parts are as they were asked for',
  { tags: [campaignTag] },
  async () => {
    const { parts, found } = await filmIn(spoiling(() => undefined))
    expect(parts).toMatchObject({ begins: expect.arrayContaining([0]) as unknown })
    expect(found).toEqual([])
  },
)

it('makes a film whole if a part has lost its last picture', { tags: [campaignTag] }, async () => {
  const { parts, found } = await filmIn(spoiling(withoutLast))
  expect(parts).toEqual({
    whole: expect.stringMatching(/part [13] has \d+ pictures, not/) as string,
  })
  expect(found).toEqual([])
})

it('makes a film whole if two parts are exchanged', { tags: [campaignTag] }, async () => {
  const { tools } = planned.context
  const given: Spec[] = []
  const both = Promise.withResolvers<void>()
  const exchanged = carriedBy(4, async ({ n, spec }, signal, onProgress) => {
    const place = given.push(spec) - 1
    if (given.length === 2) both.resolve()
    await both.promise
    const made = (place < 2 ? given[1 - place] : undefined) ?? spec
    return { n, ...(await renderPart({ ...tools, signal }, made, onProgress)) }
  })
  const { parts, found } = await filmIn(exchanged)
  expect(parts).toEqual({ whole: expect.stringContaining('in parts it was not true') as string })
  expect(found).toEqual([])
})
