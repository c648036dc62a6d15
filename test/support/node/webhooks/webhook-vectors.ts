const s1 = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const s2 = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8='

/** The first is from the reference tests of Standard Webhooks; the others were computed with Python's hmac. */
export const webhookVectors = [
  {
    name: 'of the reference',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
    header: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    name: 'with two secrets',
    secrets: [s1, s2],
    id: 'msg_0000000000000000000001',
    timestampSeconds: 1_795_231_260,
    body: '{"type":"video.succeeded","timestamp":"2026-11-21T03:21:00.000Z","data":{"videoId":"v_aB3dE6gH","jobId":"j_0123456789abcdef","status":"succeeded"}}',
    header:
      'v1,1gVczc9YcbGrP/XcXznQ+fCNak8XR35mAbgYAto8ytQ= v1,WnUgAzfYR0CZx/s9WTys2iafVSXuksQfIq6Oq1B5k2c=',
  },
  {
    name: 'with a body in UTF-8',
    secrets: [s1],
    id: 'msg_0000000000000000000002',
    timestampSeconds: 1_795_231_260,
    body: '{"type":"video.failed","data":{"videoName":"Ünïcødé — 映像 🎬"}}',
    header: 'v1,alRMXUlx/XvjmNRLr4quTet5JoixgCfkDP9oEzfZaJo=',
  },
]

type Verification = {
  name: string
  secret: string
  headers: Record<string, string>
  body: string
  now: number
  good: boolean
}

function verification(
  name: string,
  good: boolean,
  change: Partial<Omit<Verification, 'headers'>> & {
    headers?: Record<string, string | undefined>
  } = {},
): Verification {
  const [vector] = webhookVectors
  if (!vector) throw new Error('no vector')
  const headers = {
    'webhook-id': vector.id,
    'webhook-timestamp': String(vector.timestampSeconds),
    'webhook-signature': vector.header,
    ...change.headers,
  }
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return {
    name,
    good,
    secret: vector.secrets[0] ?? '',
    body: vector.body,
    now: vector.timestampSeconds,
    ...change,
    headers: Object.fromEntries(given),
  }
}

const signature = (text: string | undefined) => ({ headers: { 'webhook-signature': text } })
const timestamp = (text: string | undefined) => ({ headers: { 'webhook-timestamp': text } })
const [reference] = webhookVectors
const at = reference?.timestampSeconds ?? 0
const good = reference?.header ?? ''

/** What a receiver must accept, and what it must refuse. */
export const verifications: Verification[] = [
  ...webhookVectors.flatMap((vector) =>
    vector.secrets.map((secret, i) =>
      verification(`${vector.name}, secret ${i + 1}`, true, {
        secret,
        body: vector.body,
        now: vector.timestampSeconds,
        headers: {
          'webhook-id': vector.id,
          'webhook-timestamp': String(vector.timestampSeconds),
          'webhook-signature': vector.header,
        },
      }),
    ),
  ),
  verification('a good one among bad ones', true, signature(`v1,bad v2,bad ${good} v1,bad`)),
  verification('a secret without its prefix', true, {
    secret: (reference?.secrets[0] ?? '').slice('whsec_'.length),
  }),
  verification('300 s old', true, { now: at + 300 }),
  verification('301 s old', false, { now: at + 301 }),
  verification('301 s early', false, { now: at - 301 }),
  verification('no id', false, { headers: { 'webhook-id': undefined } }),
  verification('no timestamp', false, timestamp(undefined)),
  verification('no signature', false, signature(undefined)),
  verification('a timestamp that is none', false, timestamp('hello')),
  verification('an empty signature', false, signature('v1,')),
  verification('a signature cut short', false, signature(good.slice(0, 11))),
  verification('nonsense for a signature', false, signature('v1,dawfeoifkpqwoekfpqoekf')),
  verification('a good signature of another version', false, signature(good.replace('v1,', 'v2,'))),
  verification('another body', false, { body: '{"test": 2432232315}' }),
  verification('another id', false, { headers: { 'webhook-id': 'msg_other' } }),
  verification('another timestamp', false, timestamp(String(at + 1))),
  verification('another secret', false, { secret: s1 }),
  verification('a secret that is only a prefix', false, { secret: 'whsec_' }),
]
