import { addressFaults } from '../../contract/addresses/address-faults.ts'
import { invalidRequest, type FieldFault } from '../../contract/answers/errors.ts'
import type { SentBatch } from '../../contract/batches/batch.ts'
import { fieldPath } from '../../contract/input/field-path.ts'
import { batchLimits } from '../../contract/limits.ts'
import { builtInPresets } from '../../contract/options/presets/built-in-presets.ts'
import { parseCreateVideo, type CreateVideo } from '../../contract/options/create-video.ts'
import { readSettings, type Env } from '../../settings.ts'
import { presetRows } from '../../store/named-rows.ts'
import { addressPolicy } from '../limits/address-policy.ts'
import {
  fillFrom,
  presetNamedIn,
  tellOrigins,
  unknownPreset,
  type FoundPreset,
} from '../videos/apply-preset.ts'
import { namedJudge } from '../videos/judge-named.ts'
import { isRecord } from '../../contract/input/is-record.ts'

/** The requests of a batch with their presets and all defaults, or an error that lists the faults of every item. */
export async function judgeItems(
  env: Env,
  accountId: string,
  { preset, items }: SentBatch,
): Promise<CreateVideo[]> {
  const bodies = items.map((item) =>
    isRecord(item) && preset !== undefined ? { preset, ...item } : item,
  )
  const presets = await presetsNamedIn(env, accountId, bodies)
  if (preset !== undefined && !presets.has(preset)) {
    throw invalidRequest([unknownPreset(preset, [...presets.keys()])])
  }
  const judged = bodies.map((body) => {
    const filled = fillFrom(presets, body)
    return { filled, parsed: parseCreateVideo(filled.body) }
  })
  const requests = judged.flatMap(({ parsed }) => (parsed.ok ? [parsed.value] : []))
  const judgeNamed = await namedJudge(env, accountId, requests)
  const policy = addressPolicy(readSettings(env))
  const faults = judged.flatMap(({ filled, parsed }, i) => {
    const found = [
      ...filled.faults,
      ...(parsed.ok ? judgeNamed(parsed.value) : parsed.faults),
      ...addressFaults(filled.body, policy),
    ]
    return tellOrigins(found, filled).map((fault) => inItem(i, fault))
  })
  if (faults.length > 0) throw invalidRequest(faults)
  refuseLarge(requests)
  return requests
}

/** `values.name` → `items[7].values.name`; a fault of the whole body becomes one of the item. */
export function inItem(i: number, { field, message }: FieldFault): FieldFault {
  const item = fieldPath(['items', i])
  return { field: field === 'body' ? item : `${item}.${field}`, message }
}

/** Reads each preset once, however many items name it. */
async function presetsNamedIn(
  env: Env,
  accountId: string,
  bodies: readonly unknown[],
): Promise<ReadonlyMap<string, FoundPreset>> {
  const names = new Set(bodies.flatMap((body) => presetNamedIn(body) ?? []))
  const found = [...builtInPresets].map(([name, { fields }]) => ({ name, fields }))
  const isOwn = [...names].some((name) => !builtInPresets.has(name))
  const own = isOwn ? await presetRows.list(env.DB, accountId) : []
  return new Map([...own, ...found].map(({ name, fields }) => [name, { name, fields }]))
}

function refuseLarge(requests: readonly CreateVideo[]): void {
  const bytes = requests.reduce(
    (sum, request) => sum + new TextEncoder().encode(JSON.stringify(request)).length,
    0,
  )
  if (bytes <= batchLimits.requestBytes) return
  const message = `Are ${bytes} bytes of JSON with their presets filled in; at most ${batchLimits.requestBytes} fit into one batch`
  throw invalidRequest([{ field: 'items', message }])
}
