import { typeOf, type Kind } from '../actors/media/made-outputs.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

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
`

/** Longer than anything that is late takes. */
const undisturbedMs = 25 * 60_000

type Told = Record<string, unknown> & {
  named?: { name: string; kind: string }[] | undefined
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
  /** With what each attempt has ended, as its media worker tells it. */
  readonly #told = new Map<string, Told>()

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
    database.watch(triggers)
  }

  /** A change that was written for good. */
  hear(what: string, one: string, two: string, three: string, four: string): void {
    if (what === 'insight fell')
      this.#world.break(`the progress of the ${two} of ${one} fell from ${three} to ${four}`)
    if (what === 'made') this.#judge(one)
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
    const pairs: [string, unknown, unknown][] = [
      ['size and length', result?.['videoMetadata'], told['videoMetadata']],
      ['checks', result?.['checks'], told['checks']],
      ['names', namesOf(result?.['named']), namesOf(told.named)],
      ...(transcript?.['text'] === undefined
        ? []
        : [['words', transcript['text'], told.transcript?.text] as [string, unknown, unknown]]),
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

function namesOf(named: unknown): string | undefined {
  return (named as Told['named'])?.map(({ name, kind }) => `${name} ${kind}`).join()
}
