import type { Context } from 'hono'
import { parseInput } from '../../contract/input/parse-input.ts'
import { upperFirst } from '../../contract/upper-first.ts'
import { usageQuery, type UsageRecord } from '../../contract/usage.ts'
import { keyGate } from '../../durable/key-gate.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { chooseDays, describeUsage, describeWindows } from '../../service/describe-usage.ts'
import { describeError, log } from '../../service/log.ts'
import { limitsOf } from '../../service/limits/quota.ts'
import type { Env } from '../../settings.ts'
import { listUsedKeys, type ApiKeyRow } from '../../store/people/api-keys.ts'
import { readUsage } from '../../store/usage.ts'
import { sendPage } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import type { KeyWindows } from './limits.tsx'
import { Range, usageStyle, UsageView } from './usage-view.tsx'

/** The longest of the usual windows, and the minutes by which the last use of a key may be noted late. */
const lastUsedMs = 3_900_000
const mostKeys = 10

/** GET /app/usage */
export async function showUsage(c: Context<AppEnv>): Promise<Response> {
  const { accountId } = memberOf(c)
  const now = Date.now()
  const asked = chosenDays(c)
  const parsed = parseInput(usageQuery, asked)
  const days = parsed.ok
    ? chooseDays(parsed.value, now)
    : (parsed.faults[0] ?? { field: '', message: '' })
  const around = { title: 'Usage', section: 'usage', style: usageStyle } as const
  if ('field' in days) {
    const text = `${upperFirst(days.field)}: ${days.message}`
    const actions = <Range {...asked} />
    return sendPage(c, { ...around, actions, said: { tone: 'bad', text }, children: null }, 400)
  }
  const stored = await readUsage(c.env.DB, accountId, days)
  const limits = await limitsOf(c.env, accountId, stored)
  const usage: UsageRecord = describeUsage(days, stored, { ...limits, windows: [] })
  const used = await listUsedKeys(c.env.DB, accountId, now - lastUsedMs, mostKeys)
  const keys = await Promise.all(used.map(async (key) => readKeyWindows(c.env, key)))
  return sendPage(c, {
    ...around,
    actions: <Range {...days} />,
    scripts: ['live'],
    children: <UsageView usage={usage} keys={keys} now={now} />,
  })
}

/** The chosen days; a form sends its empty fields too. */
function chosenDays(c: Context<AppEnv>) {
  const { from, to } = c.req.query()
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) }
}

/** The windows of a key. If its gate does not answer, the other keys are still shown. */
async function readKeyWindows(env: Env, key: ApiKeyRow): Promise<KeyWindows> {
  const { id: keyId, name, hint } = key
  try {
    const lanes = await keyGate(env, key.hash).readWindows()
    return { keyId, name, hint, windows: lanes.flatMap(describeWindows) }
  } catch (error) {
    log('warn', 'the windows of a key could not be read', { keyId, ...describeError(error) })
    return { keyId, name, hint, windows: undefined }
  }
}
