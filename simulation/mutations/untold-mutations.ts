import { plant, type Planted } from './planted.ts'

const objects = 'worker/store/objects'

/** Faults in what is told of health, plans, budgets and results, and in who may do what. A random sample of faults has found them. */
export const untoldMutations: readonly Planted[] = [
  plant(
    'health does not tell what requests have met in the database',
    ['worker/store/database-faults.ts', 28],
    { find: '    current.set(String(place), { code, at: Date.now() })\n' },
  ),
  plant('health does not tell that the bucket takes nothing', [`${objects}/objects.ts`, 28], {
    find: '    lastRefused.current = Date.now()\n',
  }),
  plant('one container that was refused is a fault of all', ['worker/durable/dispatcher.ts', 44], {
    find: 'fault !== undefined && fault.refused >= tellingRefusals &&',
    replace: 'fault !== undefined &&',
  }),
  plant('an address for a media worker is good for a day', [`${objects}/address-signer.ts`, 10], {
    find: "    url.searchParams.set('X-Amz-Expires', String(lifetime))\n",
  }),
  plant(
    'a request to the bucket of a customer is signed without its bytes',
    ['worker/service/storages/ask-storage.ts', 1],
    { find: 'hex(new Uint8Array(digest))', replace: "'UNSIGNED-PAYLOAD'" },
  ),
  plant('a command is obeyed that the operator has not signed', ['worker/http/admin.ts', 8], {
    find: 'if (!(await verifyMessage(adminSecret, text, c.req.header(signatureHeader), Date.now()))) {',
    replace: 'if (adminSecret === text) {',
  }),
  plant(
    'who becomes an owner of one account owns all that they are in',
    ['worker/store/people/members.ts', 8],
    {
      find: 'and(eq(members.accountId, accountId), eq(members.personId, personId), guard)',
      replace: 'and(eq(members.personId, personId), guard)',
    },
  ),
  plant(
    'who has tried too many passwords is told to come back too late',
    ['worker/service/limits/limit-attempts.ts', 8],
    { find: 'Math.ceil(waitMs / 1000)', replace: 'Math.ceil(waitMs / 100)' },
  ),
  plant('a plan tells tenths of seconds', ['worker/http/videos/create-plan.ts', 8], {
    find: 'Math.round(value * 10) / 10',
    replace: 'Math.round(value * 10)',
  }),
  plant('a budget is tight from its beginning on', ['worker/service/limits/budget.ts', 28], {
    find: '(limit * tightPercent) / 100',
    replace: '(limit * tightPercent) / 1000',
  }),
  plant(
    'a batch does not know the presets that everybody has',
    ['worker/service/batches/judge-batch.ts', 17],
    { find: '[...own, ...found]', replace: '[...own]' },
  ),
  plant('a preset is refused without a reason', ['worker/http/presets.ts', 17], {
    find: "    ...(named.ok ? [] : named.faults.map(({ message }) => ({ field: 'presetName', message }))),\n",
  }),
  plant('a record has no warnings', ['worker/service/videos/describe-video.ts', 10], {
    find: '      ...(video.result?.warnings ?? []),\n',
  }),
  plant(
    'a place in line does not tell when its job ends',
    ['worker/service/line/forecast-line.ts', 10],
    {
      find: '[at(0.1), at(0.9)]',
      replace: '[at(0.9)]',
    },
  ),
  plant('a file has only its plain name', ['worker/upload/part-headers.ts', 28], {
    find: '    if (/^utf-8$/i.test(charset)) return decodeURIComponent(encoded)\n',
  }),
  plant('what has come of a form is lost when more comes', ['worker/upload/byte-window.ts', 28], {
    find: '    new Uint8Array(larger).set(new Uint8Array(this.#buffer))\n',
  }),
]
