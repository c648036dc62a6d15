import type { Child } from 'hono/jsx'
import type { Health } from '../../contract/answers/health.ts'
import { sayFill } from '../../service/limits/database-fill.ts'
import type { ServiceState } from '../../service/service-state.ts'
import { whyWaiting } from '../../service/line/why-waiting.ts'
import type { ListedJob, OperatorLists, ListedAccount } from '../../store/operator-lists.ts'
import { Button } from '../design/button.tsx'
import { formatSeconds, formatBytes, formatNumber } from '../design/formats.ts'
import { Notice } from '../design/notice.tsx'
import { Badge } from '../design/status-badge.tsx'
import { Tiles } from './tiles.tsx'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { CopyableId } from '../design/values.tsx'

export const operatorStyle = `
.page { padding-block: var(--s3); }
.head { margin-bottom: var(--s3); }
.checks { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s3); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: var(--s3); margin: 0 0 var(--s3); }
.tiles div { border-top: 2px solid var(--line); padding-top: var(--s1); }
.tiles dt { color: var(--soft); font-size: var(--small); }
.tiles dd { margin: 0; font-size: 1.25rem; }
.tiles dd small { display: block; font-size: var(--small); color: var(--soft); }
.tiles .progress { margin-top: var(--s1); }
.board { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3) var(--s5); }
@media (min-width: 44rem) { .board { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (min-width: 70rem) { .board { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
.board h2 { font-size: var(--large); margin: 0 0 var(--s1); }
.lines { list-style: none; margin: 0; padding: 0; font-size: var(--small); }
.lines li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s3); padding: 0.2rem 0; border-top: 1px solid var(--line); }
.lines .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.lines .why { grid-column: 1 / -1; color: var(--soft); }
.lines form { margin: 0; }
.lines li:has(form) .why { grid-column: 1; align-self: center; }
.accounts { margin-top: var(--s3); }
.accounts h2 { font-size: var(--large); margin: 0; }
.accounts .table { font-size: var(--small); }
.accounts .table th, .accounts .table td { padding-block: 0.2rem; }
`

type OperatorProps = {
  state: ServiceState
  lists: OperatorLists
  now: number
}

export function OperatorView({ state, lists, now }: OperatorProps) {
  return (
    <div data-region="operator" data-live={5}>
      <FillNotice state={state} />
      <Tiles state={state} />
      <div class="board">
        <Waiting jobs={lists.waiting} state={state} now={now} />
        <Running jobs={lists.running} state={state} now={now} />
        <div class="stack">
          <DeadLetters jobs={lists.deadLetters} state={state} now={now} />
          <MediaWorkers state={state} />
        </div>
      </div>
      <section class="accounts">
        <h2>Accounts and plans</h2>
        <AccountTable accounts={lists.accounts} />
      </section>
    </div>
  )
}

function FillNotice({ state: { database } }: { state: ServiceState }) {
  const text = sayFill(database)
  if (text === undefined) return null
  return (
    <Notice tone={database.level === 'filling' ? 'idle' : 'bad'}>
      {text}. <a href="/docs/operations#the-database-fills-up">What to do</a>
    </Notice>
  )
}

type JobsProps = { jobs: readonly ListedJob[]; state: ServiceState; now: number }

function Waiting({ jobs, state, now }: JobsProps) {
  return (
    <List title="Waiting" count={state.queued} empty="No jobs are waiting.">
      {jobs.map((job) => (
        <JobLine job={job} age={now - job.createdAt}>
          <span class="why">{whyWaiting(job, state.mediaWorkers, now)}</span>
        </JobLine>
      ))}
    </List>
  )
}

/** Few, because each has a button and the media workers are listed below. */
const shownDeadLetters = 3

function DeadLetters({ jobs, state, now }: JobsProps) {
  return (
    <List title="Dead letters" count={state.deadLettered} empty="No dead letters.">
      {jobs.slice(0, shownDeadLetters).map((job) => (
        <JobLine job={job} age={now - (job.deadLetteredAt ?? now)}>
          <Replay job={job} />
        </JobLine>
      ))}
    </List>
  )
}

function Running({ jobs, state, now }: JobsProps) {
  return (
    <List title="Running" count={state.running} empty="No jobs are running.">
      {jobs.map((job) => (
        <JobLine job={job} age={now - job.createdAt}>
          <span class="why">
            {job.phase ?? 'starting'}, {Math.floor(job.progress)} %, attempt {job.attempts}
          </span>
        </JobLine>
      ))}
    </List>
  )
}

export function Checks({ health }: { health: Health }) {
  return (
    <div class="checks">
      {Object.entries(health.checks).map(([name, check]) => (
        <span title={check.message}>
          <Badge
            tone={check.status === 'ok' ? 'good' : 'bad'}
            word={`${checkNames[name] ?? name}${check.status === 'ok' ? '' : ` failing: ${check.message ?? ''}`}`}
          />
        </span>
      ))}
      <span class="soft">Spool {health.version}</span>
    </div>
  )
}

const checkNames: Record<string, string> = {
  database: 'Database',
  storage: 'Storage',
  disk: 'Disk',
  mediaWorkers: 'Media workers',
}

function List({
  title,
  count,
  empty,
  children,
}: {
  title: string
  count: number
  empty: string
  children: Child[]
}) {
  return (
    <section>
      <h2>
        {title} <span class="soft">{formatNumber(count)}</span>
      </h2>
      {children.length === 0 ? <p class="soft">{empty}</p> : <ul class="lines">{children}</ul>}
      {count > children.length && children.length > 0 && (
        <p class="soft">
          Showing the first {children.length}. <code>npm run admin -- jobs list</code> lists all.
        </p>
      )}
    </section>
  )
}

function JobLine({ job, age, children }: { job: ListedJob; age: number; children?: Child }) {
  return (
    <li>
      <span class="name" dir="auto" title={`${job.videoName} · ${job.jobId} · ${job.accountId}`}>
        {job.videoName} <span class="soft">{job.accountName ?? job.accountId}</span>
      </span>
      <span class="soft">{formatSeconds(Math.max(0, age / 1000))}</span>
      {children}
    </li>
  )
}

function Replay({ job }: { job: ListedJob }) {
  return (
    <>
      <span class="why">
        {job.status}, attempt {job.attempts}
      </span>
      <form method="post" action={`/app/operator/jobs/${job.jobId}/replay`}>
        <Button size="small" label={`Replay ${job.videoName}`}>
          Replay
        </Button>
      </form>
    </>
  )
}

function MediaWorkers({ state: { mediaWorkers } }: { state: ServiceState }) {
  return (
    <section>
      <h2>
        Media workers <span class="soft">{mediaWorkers.length}</span>
      </h2>
      {mediaWorkers.length === 0 ? (
        <p class="soft">Each job runs in a container of its own.</p>
      ) : (
        <ul class="lines">
          {mediaWorkers.map((worker) => (
            <li>
              <span class="name">
                <code>{worker.url}</code>
              </span>
              {worker.up ? (
                <Badge
                  tone={worker.running > 0 ? 'busy' : 'good'}
                  word={`${worker.running} of ${worker.slots} slots taken${worker.fetching > 0 ? `, ${worker.fetching} fetching` : ''}`}
                />
              ) : (
                <Badge tone="bad" word="Not responding" />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const columns = [
  'Account',
  'Id',
  'Turns',
  'At once',
  'Requests',
  'Waiting',
  'Running',
  'Ready',
  'Kept',
] as const

/** The newest accounts with their plans, which only commands can change. */
function AccountTable({ accounts }: { accounts: readonly ListedAccount[] }) {
  return (
    <>
      <DataTable
        caption="The newest accounts and their plans"
        columns={columns}
        endsRight
        rows={accounts.map((account) => [
          <span dir="auto">{account.name ?? <span class="soft">No name</span>}</span>,
          <CopyableId id={account.id} />,
          account.weight,
          account.maxRunning ?? 'no limit',
          account.rateLimits ?? 'as usual',
          account.queued,
          account.running,
          formatNumber(account.succeeded),
          formatBytes(account.keptBytes),
        ])}
      />
      <p class="soft">
        {accounts.length > 1 && `The newest ${accounts.length}. `}
        <code>npm run admin -- accounts list</code> lists all accounts;{' '}
        <code>npm run admin -- accounts change</code> changes a plan.
      </p>
    </>
  )
}
