import type { Context } from 'hono'
import { builtInPresets } from '../contract/options/presets/built-in-presets.ts'
import { AppError, invalidRequest, type FieldFault } from '../contract/answers/errors.ts'
import { addressFaults } from '../contract/addresses/address-faults.ts'
import { presetLimits } from '../contract/limits.ts'
import { parseInput, type Parsed } from '../contract/input/parse-input.ts'
import { fieldPath } from '../contract/input/field-path.ts'
import { inputAt } from '../contract/input/schema-at.ts'
import {
  putPreset as putBody,
  startSchema,
  type PutPreset,
  type PresetPage,
  type PresetRecord,
} from '../contract/options/presets/preset.ts'
import { presetName } from '../contract/options/presets/preset-name.ts'
import {
  namedValues,
  slotsOf,
  templateFaults,
  withStandIns,
} from '../contract/options/presets/templates.ts'
import { addressPolicy } from '../service/limits/address-policy.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { readSettings } from '../settings.ts'
import type { PresetRow } from '../store/tables/account-tables.ts'
import { presetRows } from '../store/named-rows.ts'
import type { AppEnv } from './app-env.ts'
import { readJson } from './read-body.ts'
import { isRecord } from '../contract/input/is-record.ts'

/** GET /v1/presets */
export async function listPresets(c: Context<AppEnv>): Promise<Response> {
  const data = await presetsOf(c.env.DB, c.get('caller').accountId)
  return c.json({ data, nextCursor: null } satisfies PresetPage)
}

/** All presets that the account can use. */
export async function presetsOf(d1: D1Database, accountId: string): Promise<PresetRecord[]> {
  const own = await presetRows.list(d1, accountId)
  const builtIn = [...builtInPresets.keys()].flatMap((name) => describeBuiltIn(name) ?? [])
  return [...own.map(describePreset), ...builtIn]
}

/** GET /v1/presets/{presetName} */
export async function getPreset(c: Context<AppEnv>): Promise<Response> {
  const name = presetName.safeParse(c.req.param('presetName')).data
  if (name === undefined) throw presetNotFound()
  const builtIn = describeBuiltIn(name)
  if (builtIn) return c.json(builtIn)
  const found = await presetRows.find(c.env.DB, c.get('caller').accountId, name)
  if (!found) throw presetNotFound()
  return c.json(describePreset(found))
}

/** PUT /v1/presets/{presetName} */
export async function putPreset(c: Context<AppEnv>): Promise<Response> {
  const body = await readJson(c.req.raw)
  const named = parseInput(presetName, c.req.param('presetName'))
  const parsed = judgePreset(body)
  const faults = [
    ...(named.ok ? [] : named.faults.map(({ message }) => ({ field: 'presetName', message }))),
    ...(parsed.ok ? [] : parsed.faults),
    ...fieldsFaults(c, body),
  ]
  if (!named.ok || !parsed.ok || faults.length > 0) throw invalidRequest(faults)
  refuseBuiltIn(named.value)
  const { description = null, fields } = parsed.value
  const now = Date.now()
  const times = { createdAt: now, updatedAt: now }
  const { accountId } = c.get('caller')
  const row = { accountId, name: named.value, description, fields, ...times }
  const saved = await presetRows.save(c.env.DB, row, presetLimits.perAccount)
  if (!saved) {
    const most = presetLimits.perAccount
    throw new AppError('Conflict', `The account has ${most} presets already; delete one first.`)
  }
  return c.json(describePreset(saved), saved.createdAt === now ? 201 : 200)
}

/** DELETE /v1/presets/{presetName} */
export async function deletePreset(c: Context<AppEnv>): Promise<Response> {
  const name = presetName.safeParse(c.req.param('presetName')).data
  if (name === undefined) throw presetNotFound()
  refuseBuiltIn(name)
  if (!(await presetRows.delete(c.env.DB, c.get('caller').accountId, name))) throw presetNotFound()
  return c.body(null, 204)
}

/**
 * Judges templates with stand-ins for their values: a fault that every stand-in shows is a fault of the preset. The
 * request that fills the templates is judged whole.
 */
function judgePreset(body: unknown): Parsed<PutPreset> {
  const fields = inputAt(body, ['fields'])
  if (!isRecord(body) || !isRecord(fields)) return parseInput(putBody, body)
  const braces = templateFaults(fields).map(({ field, message }) => ({
    field: field === 'body' ? 'fields' : `fields.${field}`,
    message,
  }))
  const tried = withStandIns(startSchema, fields).map((filled) =>
    parseInput(putBody, { ...body, fields: filled }),
  )
  const good = tried.find((one) => one.ok)
  const faults = [...(good ? [] : faultsOfAll(tried)), ...braces]
  if (faults.length > 0) return { ok: false, faults }
  // With templates, the fields are kept as they were sent.
  if (good && slotsOf(fields).length === 0) return good
  const description = inputAt(body, ['description']) as PutPreset['description']
  return { ok: true, value: { description, fields } }
}

function faultsOfAll(tried: readonly Parsed<unknown>[]): FieldFault[] {
  const [first = [], ...others] = tried.map((one) => (one.ok ? [] : one.faults))
  const isIn = (list: readonly FieldFault[], fault: FieldFault) =>
    list.some(({ field, message }) => field === fault.field && message === fault.message)
  return first.filter((fault) => others.every((list) => isIn(list, fault)))
}

/** The addresses in a preset that are not allowed. An address that a template fills is judged with the request. */
function fieldsFaults(c: Context<AppEnv>, body: unknown) {
  return addressFaults(inputAt(body, ['fields']), addressPolicy(readSettings(c.env)))
    .filter(
      ({ field }) =>
        !slotsOf(inputAt(body, ['fields'])).some(({ path }) => fieldPath(path) === field),
    )
    .map(({ field, message }) => ({ field: `fields.${field}`, message }))
}

function refuseBuiltIn(name: string): void {
  if (!builtInPresets.has(name)) return
  throw new AppError('Conflict', `The preset ${name} is built in; use another name for your own.`)
}

function presetNotFound(): AppError {
  return new AppError('NotFound', 'Preset not found.')
}

function describePreset(row: PresetRow): PresetRecord {
  const { name, description, fields } = row
  return {
    name,
    description,
    builtIn: false,
    fields,
    values: namedValues(fields),
    createdAt: timestamp(row.createdAt),
    lastUpdatedAt: timestamp(row.updatedAt),
  }
}

function describeBuiltIn(name: string): PresetRecord | undefined {
  const found = builtInPresets.get(name)
  return (
    found && { name, builtIn: true, ...found, values: [], createdAt: null, lastUpdatedAt: null }
  )
}
