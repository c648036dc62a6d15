import { typeOf, type Kind } from '../actors/media/made-outputs.ts'
import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Database } from '../platform/database.ts'
import { FailureRules } from './failure-rules.ts'

/** Told of each insight whose progress falls, and of each named output that a video which has succeeded lacks. */
const insightFell = ['transcript', 'analysis'].map(
  (name) => `CREATE TEMP TRIGGER tell_${name}_fell AFTER UPDATE OF ${name} ON main.videos
    WHEN NEW.${name}_status IN ('pending', 'processing', 'failed')
      AND coalesce(NEW.${name} ->> '$.progress', 0) < coalesce(OLD.${name} ->> '$.progress', 0)
    BEGIN SELECT tell('insight fell', NEW.id, '${name}', OLD.${name} ->> '$.progress', NEW.${name} ->> '$.progress'); END;`,
)

const triggers = `${insightFell.join('\n')}
  CREATE TEMP TRIGGER tell_lacking AFTER UPDATE OF status ON main.videos
    WHEN NEW.status = 'succeeded' AND NEW.request ->> '$.outputs' IS NOT NULL AND NEW.result ->> '$.reusedFrom' IS NULL
  BEGIN SELECT tell('lacking', NEW.id, asked.value ->> 'name') FROM json_each(NEW.request, '$.outputs') AS asked
    WHERE NOT EXISTS (SELECT 1 FROM json_each(NEW.result, '$.named') AS made
      JOIN json_each(NEW.result, '$.outputs') AS file ON file.key = made.value ->> 'kind'
      WHERE made.value ->> 'name' = asked.value ->> 'name'); END;
  CREATE TEMP TRIGGER tell_made AFTER UPDATE OF status ON main.videos
    WHEN NEW.status IN ('succeeded', 'failed') AND NEW.result ->> '$.reusedFrom' IS NULL
  BEGIN SELECT tell('made', NEW.id); END;
  CREATE TEMP TRIGGER tell_reused AFTER UPDATE OF status ON main.videos
    WHEN NEW.status = 'succeeded' AND NEW.result ->> '$.reusedFrom' IS NOT NULL
  BEGIN SELECT tell('reused', NEW.id, NEW.result ->> '$.reusedFrom'); END;
  CREATE TEMP TRIGGER tell_in_vain AFTER UPDATE OF outcome ON main.job_attempts WHEN NEW.outcome = 'failed'
  BEGIN SELECT tell('in vain', NEW.job_id, NEW.fence); END;
`

/** Longer than anything that is late takes. */
const undisturbedMs = 25 * 60_000

type Pair = [what: string, kept: unknown, told: unknown]
const found = ['suggestions', 'moments', 'covered', 'reframed'] as const

type Told = Record<string, unknown> & {
  type?: string
  reason?: unknown
  message?: unknown
  retryable?: unknown
  warnings?: string[]
  trace?: { plan?: { cuts?: unknown } }
  named?: { name: string; kind: string; files?: string[] }[] | undefined
  outputs?: { kind: string; sizeBytes: number }[]
  transcript?: { text: string }
  analysis?: { data: unknown }
}
type Kept = { sizeBytes: number; contentType: string; key: string; extension: string }
type Made = {
  claim: string
  status: string
  reason: string | null
  result: string | null
  transcript: string | null
  analysis: string | null
}

/** What is told of a result while it is made, and what it has in the end. */
export class ResultRules {
  readonly #world: World
  readonly #database: Database
  readonly #bucket: () => Pick<Bucket, 'objects'>
  /** With what each attempt has ended, as its media worker tells it. */
  readonly #told = new Map<string, Told>()
  readonly #failures: FailureRules

  constructor(world: World, database: Database, bucket: () => Pick<Bucket, 'objects'>) {
    this.#world = world
    this.#database = database
    this.#bucket = bucket
    database.watch(triggers)
    this.#failures = new FailureRules(world, database, (claim) => this.#told.get(claim))
  }

  /** A change that was written for good. */
  hear(what: string, one: string, two: string, three: string, four: string): void {
    this.#failures.hear(what, one, two)
    if (what === 'in vain') this.#judgeInVain(one, two)
    if (what === 'insight fell')
      this.#world.break(`the progress of the ${two} of ${one} fell from ${three} to ${four}`)
    if (what === 'made') this.#judge(one)
    if (what === 'reused') this.#judgeReused(one, two)
    if (what === 'lacking') this.#world.break(`${one} has succeeded without its output ${two}`)
  }
  /** What a media worker tells with the end of its work. */
  heard(claim: string, told: Told): void {
    this.#told.set(claim, told)
  }

  /** A row tells of its result what its media worker has told. */
  #judge(videoId: string): void {
    const [row] = this.#database.read<Made>(
      `SELECT j.id || '/' || j.fence AS claim, v.status, j.error ->> '$.reason' AS reason, v.result, v.transcript, v.analysis
       FROM videos AS v JOIN jobs AS j ON j.video_id = v.id WHERE v.id = ?`,
      videoId,
    )
    const told = this.#told.get(row?.claim ?? '')
    const isOfWork = row?.status === 'succeeded' || row?.reason === 'check_failed'
    if (!row || !told || !isOfWork) return
    const parsed = (text: string | null) => JSON.parse(text ?? '{}') as Record<string, unknown>
    const [result, transcript, analysis] = [row.result, row.transcript, row.analysis].map(parsed)
    const pairs: Pair[] = [
      ['size and length', result?.['videoMetadata'], told['videoMetadata']],
      ['checks', result?.['checks'], told['checks']],
      ...(row.status === 'succeeded' ? foundIn(result, told) : []),
      ['names', namesOf(result?.['named']), namesOf(told.named)],
      ...(transcript?.['text'] === undefined
        ? []
        : [['words', transcript['text'], told.transcript?.text] as Pair]),
      ['analysis', analysis?.['data'], told.analysis?.data],
    ]
    for (const [name, kept, said] of pairs) {
      if (JSON.stringify(kept) === JSON.stringify(said)) continue
      this.#world.break(
        `the ${name} of ${videoId} is ${JSON.stringify(kept)}, and its media worker told ${JSON.stringify(said)}`,
      )
    }
    const files = (result?.['outputs'] ?? {}) as Record<string, Kept>
    this.#judgeFiles(videoId, files, told)
    if (row.status === 'failed') this.#judgeProof(videoId, files, told)
  }

  /** Work that has succeeded is done once more only if something of it is not there, or was not told. */
  #judgeInVain(jobId: string, fence: string): void {
    const { type, outputs = [], named = [] } = this.#told.get(`${jobId}/${fence}`) ?? {}
    const [row] = this.#database.read(
      `SELECT v.id, v.status = 'queued' OR j.error ->> '$.reason' = 'storage_failed' AS isInVain
       FROM jobs AS j JOIN videos AS v ON v.id = j.video_id WHERE j.id = ?`,
      jobId,
    )
    if (type !== 'succeeded' || row?.['isInVain'] !== 1) return
    const needed = ['final', ...named.flatMap(({ kind, files = [] }) => [kind, ...files])]
    const isThere = (kind: string): boolean => {
      const key = `videos/${String(row['id'])}/out/${fence}/${kind}.${typeOf(kind as Kind)[0]}`
      const told = outputs.find((one) => one.kind === kind)
      return told !== undefined && this.#bucket().objects.get(key)?.bytes.length === told.sizeBytes
    }
    if (needed.every(isThere))
      this.#world.break(
        `attempt ${fence} of ${jobId} has failed, and all that it has made is there`,
      )
  }

  /** Nobody gets the result of another video who wants work of their own, nor one that lacks words or a file that was told. */
  #judgeReused(videoId: string, from: string): void {
    const [row] = this.#database.read<{ lacks: number; result: string | null; claim: string }>(
      `SELECT o.result, j.id || '/' || j.fence AS claim,
        o.transcript_status = 'failed' OR o.analysis_status = 'failed' AS lacks
       FROM videos AS o JOIN jobs AS j ON j.video_id = o.id WHERE o.id = ?`,
      from,
    )
    const { outputs = {} } = JSON.parse(row?.result ?? '{}') as {
      outputs?: Record<string, unknown>
    }
    const lost = this.#told.get(row?.claim ?? '')?.outputs?.find(({ kind }) => !outputs[kind])
    if (row?.lacks === 1 || lost)
      this.#world.break(`${videoId} has the result of ${from}, which lacks something`)
    const sql = "SELECT 1 FROM videos WHERE id = ? AND request ->> '$.reuse' IS 0"
    if (this.#database.read(sql, videoId).length > 0)
      this.#world.break(`${videoId} has the result of ${from}, and wants work of its own`)
  }

  /** Each file is one that its media worker has stored, and is called what it is. */
  #judgeFiles(videoId: string, files: Record<string, Kept>, { outputs = [] }: Told): void {
    for (const [kind, { key, sizeBytes, contentType, extension }] of Object.entries(files)) {
      const told = outputs.find((one) => one.kind === kind)
      const isCalled = typeOf(kind as Kind).join() === [extension, contentType].join()
      if (told?.sizeBytes === sizeBytes && isCalled && key.endsWith(`.${extension}`)) continue
      this.#world.break(
        `the ${kind} of ${videoId} is ${key}, ${contentType}, of ${sizeBytes} bytes, and was told otherwise`,
      )
    }
  }
  /** Unless something fails, the pictures of a failed check are kept. */
  #judgeProof(videoId: string, files: Record<string, Kept>, { outputs = [] }: Told): void {
    const { faults, now } = this.#world
    if (faults.lastHarmAt > now - undisturbedMs) return
    const lost = outputs.find(({ kind }) => !files[kind])
    if (lost) this.#world.break(`${videoId} has failed, and the picture ${lost.kind} is lost`)
  }
}

/** What a result tells of what was found in the film, and of what was cut out of it. */
function foundIn(result: Record<string, unknown> | undefined, told: Told): Pair[] {
  const { plan } = told.trace ?? {}
  const kept = (result?.['warnings'] ?? []) as unknown[]
  return [
    ...found.map((name): Pair => [name, result?.[name], told[name]]),
    ['cuts', result?.['removed'], plan?.cuts],
    ['warnings', kept.slice(0, told.warnings?.length ?? 0), told.warnings],
  ]
}

function namesOf(named: unknown): string | undefined {
  return (named as Told['named'])?.map(({ name, kind }) => `${name} ${kind}`).join()
}
