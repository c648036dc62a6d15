import type { BatchItem, BatchRecord } from '../../contract/batches/batch.ts'
import { limits } from '../../contract/limits.ts'
import { Button, ButtonLink } from '../design/button.tsx'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { Dialog } from '../design/dialog.tsx'
import { EmptyState } from '../design/empty-state.tsx'
import { formatCount } from '../design/formats.ts'
import { Pagination } from '../design/pagination.tsx'
import { RelativeTime } from '../design/values.tsx'
import { Badge, StatusBadge, statusWords, ProgressBar } from '../design/status-badge.tsx'
import { videoStatuses } from '../../contract/video/video-state.ts'

export const batchesStyle = `
.table .progress { width: 8rem; margin: 0 0 var(--s1); }
.batch .progress { width: min(100%, 30rem); }
.batch-facts { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; margin: var(--s2) 0 var(--s4); padding: 0; list-style: none; }
`

type BatchesProps = {
  batches: readonly BatchRecord[]
  next: string | undefined
  isFirst: boolean
  now: number
}

const columns = ['Batch', 'Preset', 'Progress', 'Created'] as const

export function BatchesView({ batches, next, isFirst, now }: BatchesProps) {
  if (batches.length === 0) {
    return (
      <EmptyState
        title="No batches yet"
        action={{
          label: 'A thousand clips from a table',
          href: '/docs/cookbook/clips-from-a-table',
        }}
      >
        A batch is one request that creates up to a thousand videos, or one command:{' '}
        <code>spool batch clips.csv --preset mine</code>
      </EmptyState>
    )
  }
  const isLive = batches.some(({ status }) => status === 'running')
  return (
    <>
      <div data-region="batches" data-live={isLive ? 5 : undefined}>
        <DataTable
          caption="Batches of this account, newest first"
          columns={columns}
          rows={batches.map((batch) => [
            <a href={`/app/batches/${batch.batchId}`}>{batch.batchId}</a>,
            batch.preset === undefined ? (
              <span class="soft">none</span>
            ) : (
              <code>{batch.preset}</code>
            ),
            <Progress batch={batch} />,
            <RelativeTime at={batch.createdAt} now={now} />,
          ])}
        />
      </div>
      <Pagination first={isFirst ? undefined : '/app/batches'} next={next}>
        {formatCount(batches.length, 'batch', 'batches')}
      </Pagination>
    </>
  )
}

function endedOf({ counts }: BatchRecord): number {
  return counts.succeeded + counts.failed + counts.canceled + counts.deleted
}

function Progress({ batch }: { batch: BatchRecord }) {
  const ended = endedOf(batch)
  const said = `${ended} of ${batch.total} have ended`
  return (
    <>
      <ProgressBar percent={(100 * ended) / batch.total} label={said} />
      <div class="soft">{said}</div>
      {batch.counts.failed > 0 && <Badge tone="bad" word={`${batch.counts.failed} failed`} />}
    </>
  )
}

type BatchProps = {
  batch: BatchRecord
  videos: readonly BatchItem[]
  first: number
  now: number
}

const itemColumns = ['Item', 'Video', 'Status'] as const

export function BatchView({ batch, videos, first, now }: BatchProps) {
  const { batchId, counts, total } = batch
  const address = `/app/batches/${batchId}`
  return (
    <>
      <div class="batch" data-region="batch" data-live={batch.status === 'running' ? 3 : undefined}>
        <ProgressBar
          percent={(100 * endedOf(batch)) / total}
          label={`${endedOf(batch)} of ${total} have ended`}
        />
        <ul class="batch-facts">
          {videoStatuses
            .filter((state) => counts[state] > 0)
            .map((state) => (
              <li>
                <Badge
                  tone={statusWords[state].tone}
                  word={`${counts[state]} ${statusWords[state].word.toLowerCase()}`}
                />
              </li>
            ))}
          {counts.deleted > 0 && <li class="soft">{counts.deleted} deleted</li>}
          <li class="soft">
            Created <RelativeTime at={batch.createdAt} now={now} />
          </li>
        </ul>
        <DataTable
          caption="Videos of this batch, in the order of its items"
          columns={itemColumns}
          rows={videos.map((video) => [
            String(video.item),
            <VideoName video={video} />,
            <Status video={video} />,
          ])}
        />
      </div>
      <ItemPages address={address} first={first} next={first + videos.length} total={total} />
      {batch.status === 'running' && <AskCancel />}
    </>
  )
}

type ItemPagesProps = { address: string; first: number; next: number; total: number }

function ItemPages({ address, first, next, total }: ItemPagesProps) {
  return (
    <nav class="pages" aria-label="Pages">
      <span>{`Items ${first} to ${next - 1} of ${total}`}</span>
      <span class="row">
        {first > 0 && (
          <ButtonLink
            size="small"
            href={`${address}?cursor=${Math.max(0, first - limits.listPageSize)}`}
          >
            Before
          </ButtonLink>
        )}
        {next < total && (
          <ButtonLink size="small" href={`${address}?cursor=${next}`}>
            After
          </ButtonLink>
        )}
      </span>
    </nav>
  )
}

/** Cancels what has not ended. The page that is read again has what is left by then. */
export function CancelForm({ batch }: { batch: BatchRecord }) {
  const left = formatCount(batch.total - endedOf(batch), 'video')
  const isCanceled = batch.canceledAt !== undefined
  const button = isCanceled ? 'Canceling …' : `Cancel ${left}`
  return (
    <div data-region="cancel">
      {batch.status === 'running' && (
        <form method="post" action={`/app/batches/${batch.batchId}`} id="cancel">
          <Button look="danger" disabled={isCanceled} dialog="ask-cancel">
            {button}
          </Button>
        </form>
      )}
    </div>
  )
}

function AskCancel() {
  return (
    <Dialog
      id="ask-cancel"
      title="Cancel the rest of this batch?"
      keep="Keep it running"
      confirm={
        <Button look="primary" form="cancel">
          Cancel the rest
        </Button>
      }
    >
      <p>
        The work done so far on videos that have not ended is lost. They stay in the list, and you
        can make them again.
      </p>
    </Dialog>
  )
}

function VideoName({ video }: { video: BatchItem }) {
  const { videoId, videoName = videoId, status, errorMessage } = video
  if (status === 'deleted') return <span class="soft">{videoId}</span>
  return (
    <>
      <a href={`/app/videos/${videoId}`} dir="auto">
        {videoName}
      </a>
      {errorMessage !== undefined && <div class="soft">{errorMessage}</div>}
    </>
  )
}

function Status({ video: { status, progressPercent = 0 } }: { video: BatchItem }) {
  if (status === 'deleted') return <span class="soft">Deleted</span>
  const percent = Math.floor(progressPercent)
  return (
    <>
      <StatusBadge status={status} /> {status === 'running' && `${percent} %`}
    </>
  )
}
