import { plant, type Planted } from './planted.ts'

const forecast = 'worker/service/line/forecast-line.ts'
const search = 'worker/service/videos/search-videos.ts'
const grant = 'worker/durable/job/grant-upload.ts'
const objects = 'worker/store/objects/objects.ts'
const ledger = 'worker/durable/job/part-ledger.ts'
const success = 'worker/service/jobs/describe-success.ts'

/** Faults in what is told of the line, of names, of the parts of a film and of a result, and in files that come in parts. */
export const shownMutations: readonly Planted[] = [
  plant('a forecast ignores the caps', [forecast, 31], {
    find: 'const mayBeginAt = most === null ? now : (own.at(-most) ?? now)',
    replace: 'const mayBeginAt = now',
  }),
  plant('a forecast leaves out the jobs ahead of the same account', [forecast, 31], {
    find: '    insert(own, endsAt)\n',
  }),
  plant('a forecast has as many slots as jobs', [forecast, 16], {
    find: 'const startsAt = Math.max(mayBeginAt, freeAt[slot] ?? now)',
    replace: 'const startsAt = mayBeginAt',
  }),
  plant('the line knows no caps', ['worker/service/line/line.ts', 8], {
    find: 'return this.#accounts.get(accountId)?.maxRunning ?? null',
    replace: 'return null',
  }),
  plant('a name is found that has one of the words', [search, 8], {
    find: 'words.every',
    replace: 'words.some',
  }),
  plant('a search looks at the first names alone', [search, 8], {
    find: '    if (names.length < namesAtOnce) return { ...found, end: undefined }',
    replace: '    return { ...found, end: undefined }',
  }),
  plant('a form that arrives slowly loses its key', ['worker/upload/take-upload.ts', 22], {
    find: 'claim ? { ...upload, source: keptBy(claim, upload.source) } : upload',
    replace: 'upload',
  }),
  plant('a key is kept longer, and its row does not say so', ['worker/service/claim-key.ts', 22], {
    find: '    await prolongClaim(this.#env.DB, this.scope, this.token, this.#leaseUntil)\n',
  }),
  plant('a form that does not come is waited for', ['worker/upload/paced-source.ts', 22], {
    find: 'await withinMs(this.#leftMs, reading, () => {\n      throw tooSlow(this.#pace)\n    })',
    replace: 'await reading',
  }),
  plant('the parts of a film that are shown are those of its sound', [ledger, 7], {
    find: '.filter(({ isHeard }) => !isHeard)',
    replace: '.filter(({ isHeard }) => isHeard)',
  }),
  plant('a film gives back no slot at its end', ['worker/durable/job/film-parts.ts', 22], {
    find: "      await tellDispatcher(env, async (slots) => slots.giveBack(jobId, 'all'))\n",
  }),
  plant('the parts of a file are joined in the order in which they are told', [objects, 1], {
    find: '.complete(parts.map(asBindingPart).sort((a, b) => a.partNumber - b.partNumber))',
    replace: '.complete(parts.map(asBindingPart))',
  }),
  plant('a media worker gets an address too few', [grant, 1], {
    find: 'Math.ceil(upload.sizeBytes / outputPartBytes)',
    replace: 'Math.max(1, Math.floor(upload.sizeBytes / outputPartBytes))',
  }),
  plant('all parts of a file go to one address', [grant, 1], {
    find: 'signer.writePart(upload, i + 1)',
    replace: 'signer.writePart(upload, 1)',
  }),
  plant('a result does not tell what was covered', [success, 1], {
    find: 'const { covered, reframed } = report',
    replace: 'const { reframed } = report\n  const covered = undefined',
  }),
  plant('a result does not tell what was cut out', [success, 1], {
    find: 'planWithCuts.safeParse(trace.plan).data?.cuts',
    replace: 'undefined',
  }),
  plant('a result keeps no warning', [success, 1], { find: '    ...report.warnings,\n' }),
  plant('a record leaves out the moments', ['worker/service/videos/describe-video.ts', 1], {
    find: 'return defined({ reusedFrom, videoMetadata, removed, suggestions, moments,',
    replace: 'void moments\n  return defined({ reusedFrom, videoMetadata, removed, suggestions,',
  }),
]
