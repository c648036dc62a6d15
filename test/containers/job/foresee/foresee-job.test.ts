import { expect, it } from 'vitest'
import { foresight } from '../../../../worker/contract/job/foresight.ts'
import type { MediaJob } from '../../../../worker/contract/job/media-job.ts'
import { aJob, aJobId } from '../../../support/containers/a-job.ts'
import { aReceiver, aServiceForAll } from '../../../support/containers/service-for-all.ts'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'

const service = aServiceForAll()

/** The plan of a job, and what became of the job. */
async function planAndRun(
  files: readonly string[],
  options: Record<string, unknown>,
  most?: MediaJob['most'],
) {
  const receiver = await aReceiver()
  const inputs = files.map((file) => service.sources.file(file))
  const asked = { ...options, ...(files.length > 1 && { combine: true }) }
  const parts = { inputs, reportsUrl: receiver.reportsUrl, options: asked }
  const newJob = () => ({ ...aJob({ ...parts, jobId: aJobId() }), ...(most && { most }) })
  const plan = await planOf(newJob())
  expect((await service.worker.post('/jobs', newJob())).status).toBe(202)
  const end = await receiver.end()
  return { plan, end }
}

async function planOnly(file: string, options: Record<string, unknown>, most?: MediaJob['most']) {
  const { reportsUrl } = await aReceiver()
  const inputs = [service.sources.file(file)]
  const job = aJob({ inputs, reportsUrl, options, jobId: aJobId() })
  return planOf({ ...job, ...(most && { most }) })
}

async function planOf(job: ReturnType<typeof aJob>) {
  const answer = await service.worker.post('/plans', job)
  expect(answer.status).toBe(200)
  return foresight.parse(await answer.json())
}

/** How many bytes each output of a job has. */
function bytesOf(end: Awaited<ReturnType<typeof planAndRun>>['end']): number[] {
  if (end.type !== 'succeeded') throw new Error(JSON.stringify(end).slice(0, 500))
  return (end.named ?? []).map(({ kind, files = [] }) => {
    const own = end.outputs.filter((file) => [kind, ...files].includes(file.kind))
    return own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  })
}

function expectForeseen({ results }: Awaited<ReturnType<typeof planOf>>, made: number[]): void {
  expect(results).not.toEqual([])
  for (const [i, { name, sizeInBytes }] of results.entries()) {
    expect(made[i], name).toBeGreaterThan(sizeInBytes.least)
    expect(made[i], name).toBeLessThan(sizeInBytes.most)
  }
}

const coding = ['-c:v', 'libx264', '-g', '12', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
const clip = () => makeVideo({ seconds: 3, size: '160x90', coding })

/** Its seams take far more bytes than what is copied. */
async function coarseFilm() {
  const coarse = ['-c:v', 'libx264', '-crf', '38', '-g', '75', '-pix_fmt', 'yuv420p']
  return makeVideo({ seconds: 9, size: '320x180', coding: [...coarse, '-c:a', 'aac'] })
}

/** Its edit list leaves pictures out. */
async function shortenedFilm() {
  const film = await makeVideo({ seconds: 6, size: '320x180', coding: [...coding, '-g', '60'] })
  return makeFile('mp4', ['-ss', '1.3', '-i', film, '-c', 'copy'])
}

it.each([
  {
    does: 'copies what nothing changes',
    make: shortenedFilm,
    options: {},
    picture: 'copied',
    off: 0.03,
  },
  {
    does: 'encodes the seam of a cut, and says that quiet sound stays',
    make: coarseFilm,
    options: { removeSegments: [{ startTime: 1, endTime: 2 }], normalizeAudio: { target: -8 } },
    picture: 'copied but for 1 seam',
    off: 0.05,
  },
  {
    does: 'copies what is stored as coarsely as was asked',
    make: coarseFilm,
    options: { compressionQuality: 80 },
    picture: 'copied',
    off: 0.03,
  },
  {
    does: 'encodes what is turned, and hears whether there are pauses',
    make: clip,
    options: { rotate: 90, removeSilence: true, compressionQuality: 60, outputFormat: 'webm' },
    picture: 'encoded',
    off: 1,
  },
])('foresees a job that $does', async ({ make, options, picture, off }) => {
  const { plan, end } = await planAndRun([await make()], options)
  if (end.type !== 'succeeded') throw new Error(JSON.stringify(end).slice(0, 500))
  const [result] = plan.results
  const { plan: made } = end.trace
  expect(result).toMatchObject({ picture, width: end.videoMetadata?.width })
  expect(made).toMatchObject({ picture, whyEncoded: result?.whyEncoded })
  expect(plan).toMatchObject({ refusal: null, warnings: end.warnings, unknown: [] })
  const { duration: lasts = 0 } = end.videoMetadata ?? {}
  expect(result?.duration.likely).toBeCloseTo(lasts, 1)
  expect(lasts).toBeGreaterThanOrEqual(result?.duration.least ?? Infinity)
  expect(lasts).toBeLessThanOrEqual(result?.duration.most ?? 0)
  const { least = 0, most = 0, likely = 0 } = result?.sizeInBytes ?? {}
  const { sizeInBytes = 0 } = end.videoMetadata ?? {}
  expect([least <= sizeInBytes, sizeInBytes <= most]).toEqual([true, true])
  expect(Math.abs(likely / sizeInBytes - 1)).toBeLessThan(off)
  expect(plan.seconds.most).toBeGreaterThan(0)
  // The next plan counts with what this job took.
  const learnt = end.worked?.map(({ kind }) => kind)
  expect(learnt).toEqual(expect.arrayContaining(['processor', expect.stringMatching(/^bytes /)]))
})

it('knows that nobody speaks in a film without sound', async () => {
  const silent = await makeVideo({ seconds: 1, size: '160x90', tone: null })
  const asked = { captions: {}, removeFillers: true, removeText: ['well'], bleep: ['damn'] }
  const { plan, end } = await planAndRun([silent], asked)
  if (end.type !== 'succeeded') throw new Error(JSON.stringify(end).slice(0, 500))
  expect(plan).toMatchObject({ warnings: end.warnings, unknown: [] })
  expect(plan.warnings.toSorted()).toEqual([
    expect.stringMatching(/^bleep: nothing was covered/),
    expect.stringMatching(/^captions: left out/),
    expect.stringMatching(/^removeFillers: nothing was cut/),
    expect.stringMatching(/^removeText: nothing was cut/),
  ])
  expect(plan.results).toMatchObject([{ picture: (end.trace.plan as { picture: string }).picture }])
})

it('looks whether a short film shakes that is to be held still', async () => {
  const shaking = await makeVideo({
    seconds: 2,
    size: '320x180',
    filters: ['-vf', 'crop=280:140:20+14*sin(n*1.7):20+14*cos(n*2.3)'],
  })
  const plan = await planOnly(shaking, { stabilize: true })
  expect(plan).toMatchObject({ results: [{ picture: 'encoded' }], unknown: [] })
  const still = ['-vf', 'loop=loop=50:size=1,trim=end_frame=25', '-pix_fmt', 'yuv420p']
  const steady = await makeVideo({ seconds: 1, size: '320x180', filters: still })
  const { results } = await planOnly(steady, { stabilize: true })
  expect(results).toMatchObject([{ picture: 'copied' }])
})

it('takes a film whose faces are to be covered to show some, and says that it did not look', async () => {
  const plan = await planOnly(await clip(), { blurFaces: true, stabilize: true })
  expect(plan.results).toMatchObject([{ picture: 'encoded' }])
  expect(plan.unknown).toEqual([
    expect.stringMatching(/^blurFaces: a plan looks for no faces/),
    expect.stringMatching(/^stabilize: whether the picture shakes would take longer/),
  ])
})

it('expects captions of what is kept, wherever that lies', async () => {
  const keepSegments = [{ startTime: 6, endTime: 8 }]
  const film = await makeVideo({ seconds: 8, size: '160x90', coding })
  const { results, warnings } = await planOnly(film, { captions: {}, keepSegments })
  expect(warnings).toEqual([])
  expect(results[0]?.whyEncoded).toContain('captions')
})

it('says that it does not hear what a transcript would say', async () => {
  const { unknown } = await planOnly(await clip(), { enableTranscription: true })
  expect(unknown).toEqual([
    expect.stringMatching(/^enableTranscription: what is said, and whether/),
  ])
})

it('reckons with seams and an encoded sound where only the words tell what is cut', async () => {
  const { results, sources } = await planOnly(await clip(), { removeText: ['well'] })
  expect(results).toMatchObject([{ picture: 'copied but for seams', sound: 'encoded' }])
  const [share] = results.map((one) => one.sizeInBytes.most / (sources[0]?.sizeInBytes ?? 0))
  expect(share).toBeGreaterThan(1.5)
})

it('makes pictures and codes sound to see how large they become', async () => {
  const outputs = [
    { name: 'line', outputFormat: 'sprite' },
    { name: 'moves', outputFormat: 'gif', duration: 1, fps: '24000/1001' },
    { name: 'still', outputFormat: 'jpg' },
    { name: 'talk', outputFormat: 'flac' },
  ]
  const film = await makeVideo({ seconds: 3, size: '321x181', coding })
  const { plan, end } = await planAndRun([film], { outputs })
  const made = bytesOf(end)
  expect(plan.results.map(({ width, height }) => [width, height])).toEqual(
    end.type === 'succeeded' && end.named?.map(({ width, height }) => [width, height]),
  )
  const shares = plan.results.map((one, i) => one.sizeInBytes.likely / (made[i] ?? 0))
  for (const share of shares.slice(0, 3)) expect(share).toBeCloseTo(1, 1)
  expect(Math.abs(Math.log(shares[3] ?? 0))).toBeLessThan(0.2)
})

it('foresees the bytes of slides as a film and as a stream by more than a key picture', async () => {
  const slides = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=1:d=24', '-pix_fmt', 'yuv420p']
  const outputs = [{ name: 'film' }, { name: 'stream', outputFormat: 'hls' }]
  const { plan, end } = await planAndRun([await makeFile('mp4', slides)], {
    ...{ flip: 'horizontal', outputs },
  })
  expectForeseen(plan, bytesOf(end))
})

it('foresees no more bytes than a rate allows, also where nothing is tried', async () => {
  const outputs = [{ name: 'thin', maxBitrate: 64_000 }]
  const untried = { seconds: 10_000, prices: { cpuSecond: 0, gigabyte: 0 } }
  const plan = await planOnly(await clip(), { outputs }, untried)
  expect(plan.results[0]?.sizeInBytes.most).toBeLessThanOrEqual(8_000 * 3)
})

it('makes a picture for a plan that is asked for twice', async () => {
  const outputs = [{ name: 'still', outputFormat: 'jpg', times: [0.4, 0.41] }]
  const { results } = await planOnly(await clip(), { outputs })
  const { least = 0, most = 0 } = results[0]?.sizeInBytes ?? {}
  expect(most / least).toBeLessThan(1.1)
})

it('knows how large a WAV becomes, whenever its sound begins', async () => {
  const late = ['-af', 'atrim=start=1.2', ...coding]
  const film = await makeVideo({ seconds: 3, size: '160x90', coding: late })
  const { results } = await planOnly(film, { outputs: [{ name: 'talk', outputFormat: 'wav' }] })
  expect((results[0]?.sizeInBytes.likely ?? 0) / (3 * 44_100 * 4)).toBeCloseTo(1, 1)
})

it.each([
  {
    what: 'a tone',
    heard: 'aevalsrc=0.4*sin(6283*t)|0.3*sin(1256*t):s=44100:d=4',
    formats: ['m4a', 'ogg'],
  },
  { what: 'silence', heard: 'anullsrc=d=4', formats: ['m4a', 'flac'] },
  {
    what: 'noise around a pause',
    heard: "anoisesrc=d=8:a=0.3,volume=0:enable='between(t,2,6)'",
    formats: ['flac'],
  },
])('knows how many bytes $what takes in $formats', async ({ heard, formats }) => {
  const tone = ['-f', 'lavfi', '-i', heard]
  const outputs = formats.map((outputFormat) => ({ name: outputFormat, outputFormat }))
  const { plan, end } = await planAndRun([await makeFile('mp3', tone)], { outputs })
  expectForeseen(plan, bytesOf(end))
})

it('counts what is mixed into a silent film, in a sound and in a stream', async () => {
  const silent = await makeVideo({ seconds: 3, size: '160x90', tone: null })
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=3']
  const url = service.sources.file(await makeFile('mp3', tone))
  const outputs = ['flac', 'hls'].map((outputFormat) => ({ name: outputFormat, outputFormat }))
  const elements = [{ type: 'audio', url }]
  const { plan, end } = await planAndRun([silent], { outputs, elements })
  const [sound, stream] = plan.results
  expectForeseen({ ...plan, results: sound ? [sound] : [] }, bytesOf(end))
  expect(stream?.sound).toBe('encoded')
})

it('takes sounds that are mixed for no more than their encoder may make of them', async () => {
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.3:d=6']
  const film = await makeFile('mp4', ['-f', 'lavfi', '-i', 'smptebars=s=160x90:d=6', ...noise])
  const url = service.sources.file(await makeFile('mp3', noise))
  const outputs = ['m4a', 'hls'].map((outputFormat) => ({ name: outputFormat, outputFormat }))
  const { plan, end } = await planAndRun([film], { outputs, elements: [{ type: 'audio', url }] })
  for (const [i, bytes] of bytesOf(end).entries()) {
    expect(bytes).toBeGreaterThan(plan.results[i]?.sizeInBytes.least ?? 0)
  }
})

it('foresees the part of a film that a stream shows, and a sound in it that is hardly heard', async () => {
  const beep = 'aevalsrc=0.5*sin(6283*t)*lt(mod(t\\,1)\\,0.1):s=48000:d=8'
  const picture = 'smptebars=s=160x90:r=25:d=8'
  const film = await makeFile('mp4', ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', beep])
  const outputs = [
    { name: 'whole', outputFormat: 'hls' },
    { name: 'part', outputFormat: 'hls', startTime: 1, duration: 2 },
  ]
  const { plan, end } = await planAndRun([film], { outputs })
  expectForeseen(plan, bytesOf(end))
  expect(plan.results.map(({ duration }) => duration.likely)).toEqual([8, 2])
})

it('says of a stream what its job will say', async () => {
  const outputs = [{ name: 'stream', outputFormat: 'hls' }]
  const { warnings } = await planOnly(await clip(), { outputs, removeSilence: true })
  expect(warnings).toEqual([
    'outputs (stream): removeSilence: no voice was found, so only what is silent was cut.',
  ])
})

it('refuses a film that may have fewer bytes than its sound takes, as its job does', async () => {
  const outputs = [{ name: 'tiny', maxBytes: 10_000 }]
  const film = await makeVideo({ seconds: 16, size: '160x90', coding })
  const { plan, end } = await planAndRun([film], { outputs, audio: { volume: 0.5 } })
  const { reason, message } = end.type === 'failed' ? end : {}
  const least = /^outputs\[0\] \(tiny\): maxBytes: .* has at least (\d+) bytes/
  expect(plan.refusal?.reason).toBe(reason)
  const leastOf = (text = '') => Number(least.exec(text)?.[1])
  expect(leastOf(plan.refusal?.message)).toBeLessThan(leastOf(message))
  // A plan does not know how much of it is kept.
  const kept = { outputs, audio: { volume: 0.5 }, keepText: ['hello'] }
  expect((await planOnly(film, kept)).refusal).toBeNull()
})

it('foresees every output, and refuses with the sentence of the job', async () => {
  const silent = await makeVideo({ seconds: 1, size: '160x90', tone: null })
  const outputs = [
    { name: 'web', height: 60 },
    { name: 'talk', outputFormat: 'mp3' },
  ]
  const small = { name: 'small', maxBytes: 30_000 }
  const sounding = await planAndRun([await clip()], { outputs: [...outputs, small] })
  const whyEncoded = 'maxBytes is less than a copy would have'
  expect(sounding.plan.results).toMatchObject([
    { name: 'web', format: 'mp4', picture: 'encoded', height: 60 },
    { name: 'talk', format: 'mp3', picture: null, sound: 'encoded' },
    { name: 'small', picture: 'encoded', whyEncoded },
  ])
  expect(sounding.plan.results[2]?.sizeInBytes.most).toBeLessThanOrEqual(small.maxBytes)
  const { outputs: made } = sounding.end.trace.plan as { outputs: unknown }
  expect(made).toMatchObject([{ name: 'web' }, { name: 'small', plan: { whyEncoded } }])
  const { plan, end } = await planAndRun([silent], { outputs })
  const { reason, message } = end.type === 'failed' ? end : {}
  expect(plan).toMatchObject({ refusal: { reason, message }, results: [], seconds: { most: 0 } })
})

it.each([
  { name: 'still', outputFormat: 'jpg', times: [1, 9] },
  { name: 'moves', outputFormat: 'gif', startTime: 9, duration: 1 },
  { name: 'stream', outputFormat: 'hls', startTime: 9 },
])(
  'refuses $outputFormat of what lies behind the end, before any film is rendered',
  async (late) => {
    const film = { name: 'web', height: 60 }
    const { plan, end } = await planAndRun([await clip()], { outputs: [film, late] })
    if (end.type !== 'failed') throw new Error(`It ended as ${end.type}`)
    const { reason, message, trace } = end
    expect(message).toMatch(
      /^outputs\[1\] \(\w+\): (times\[1\]|startTime): the finished video ends at 3 s/,
    )
    expect(plan.refusal).toEqual({ reason, message })
    expect(trace.phases.map(({ name }) => name)).not.toContain('rendering')
  },
)

it('does not take a wave for as small as the picture behind it', async () => {
  const sound = await makeFile('mp3', ['-f', 'lavfi', '-i', 'sine=d=2'])
  const asked = { background: '#203040', aspectRatio: '1:1' }
  const still = await planOnly(sound, asked)
  const wave = await planOnly(sound, { ...asked, waveform: {} })
  const [least, most] = [wave.results[0]?.sizeInBytes.least, still.results[0]?.sizeInBytes.most]
  expect(least).toBeGreaterThan(2 * (most ?? Infinity))
  expect([still.unknown, wave.unknown]).toEqual([
    [],
    [expect.stringMatching(/^waveform: the wave is not drawn/)],
  ])
})

it('refuses a job at its start that would cost more than it may, and makes one that does not', async () => {
  const file = await makeVideo({ seconds: 1, size: '160x90', extension: 'ts' })
  const prices = { cpuSecond: 1, gigabyte: 0 }
  const { plan, end } = await planAndRun([file], {}, { price: 0.001, prices })
  expect(end).toMatchObject({ type: 'failed', reason: 'beyond_limit', retryable: false })
  expect(plan.refusal?.message).toMatch(/^maxPrice: the work would cost about [\d.]+, more than/)
  const cheap = await planAndRun([file], {}, { seconds: 500, price: 500, prices })
  expect(cheap.end.type).toBe('succeeded')
})
