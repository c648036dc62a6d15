import { writeCursor } from '../../../contract/video/page-cursor.ts'
import { isTerminal, videoStatuses, type VideoStatus } from '../../../contract/video/video-state.ts'
import type { PageContent } from '../../design/app-page.tsx'
import { Button, ButtonLink } from '../../design/button.tsx'
import { EmptyState } from '../../design/empty-state.tsx'
import { formatCount } from '../../design/formats.ts'
import { Pagination } from '../../design/pagination.tsx'
import { statusWords } from '../../design/status-badge.tsx'
import { AskFirst } from '../ask-first.tsx'
import { describeDone, type Done, doneText } from '../done.ts'
import { dayOf, readZone } from './day-of.ts'
import { listStyle } from './list-style.ts'
import {
  mostCounted,
  type VideoList,
  readVideoList,
  listAddress,
  type ListQuery,
  shownListQuery,
} from './read-video-list.ts'
import { ListedVideoRow } from './video-row.tsx'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { AppEnv } from '../../../http/app-env.ts'
import { readSettings } from '../../../settings.ts'
import { sendPage, pageLinks } from '../../send-page.ts'
import { memberOf } from '../../session/require-member.ts'

type ListFacts = {
  mayMakeKeys: boolean
  query: ListQuery
  list: VideoList
  /** What the reader has just done, to be confirmed on the page. */
  done: Done | undefined
  now: number
  /** The time zone in which the days of the list begin. */
  zone: string
}

/** How often the page polls: while a video is being made, and otherwise. */
const pollMs = { busy: 2000, quiet: 10_000 }

const archiveAddress = listAddress({ archived: 'true' })

function videoListPage(facts: ListFacts): PageContent {
  const { mayMakeKeys, query, list, done } = facts
  const hasNone = videoStatuses.every((status) => list.counts[status] === 0)
  return {
    title: 'Videos',
    actions: (
      <ButtonLink look="primary" href="/app/videos/new">
        New video
      </ButtonLink>
    ),
    said: done && describeDone(done),
    section: 'videos',
    style: listStyle,
    scripts: ['videos'],
    children:
      hasNone && query.q === '' && !query.archived ? (
        <NoVideos mayMakeKeys={mayMakeKeys} />
      ) : (
        <Listing {...facts} />
      ),
  }
}

function NoVideos({ mayMakeKeys }: { mayMakeKeys: boolean }) {
  return (
    <div data-region="none" data-poll-ms={pollMs.quiet}>
      <EmptyState
        title="No videos yet"
        action={{ label: 'Make your first video', href: '/app/videos/new' }}
        more={
          <>
            {mayMakeKeys && <FromTerminal />}
            <p class="or">
              Videos that you made long ago may be in <a href={archiveAddress}>the archive</a>.
            </p>
          </>
        }
      >
        Each video you send appears here: what is being done to it, and then the result to watch,
        read and download.
      </EmptyState>
    </div>
  )
}

/**
 * A first command for the terminal. It needs a key, which is shown only when it is made: so the button makes one, and the
 * answer shows both.
 */
function FromTerminal() {
  return (
    <form method="post" action="/app/keys">
      <p class="or">
        Or from a terminal: this makes a key, and shows you the command that goes with it.
      </p>
      <input type="hidden" name="name" value="My terminal" />
      <input type="hidden" name="scopes" value="videos:read" />
      <input type="hidden" name="scopes" value="videos:write" />
      <Button>Make a key for the terminal</Button>
    </form>
  )
}

function Listing({ query, list, now, zone }: ListFacts) {
  const here = { q: query.q, status: query.status, archived: query.archived }
  const cursor = query.cursor && writeCursor(query.cursor)
  return (
    <>
      <div class="find">
        <Search query={query} />
        <Filters query={query} counts={list.counts} />
      </div>
      <form method="post" action="/app/videos" id="list">
        <input
          type="hidden"
          name="back"
          value={listAddress({ ...here, cursor })}
          data-region="back"
        />
        <Bulk mayCancel={!query.archived} />
        <Rows {...{ list, now, zone }} isArchive={query.archived !== undefined} />
      </form>
      <div data-region="after">
        {list.videos.length === 0 && <NothingFound query={query} list={list} />}
        <Pagination
          first={cursor && listAddress(here)}
          next={list.nextCursor && listAddress({ ...here, cursor: list.nextCursor })}
        >
          {describeExtent(list)}
        </Pagination>
      </div>
      <AskFirst />
    </>
  )
}

function Rows({
  list: { videos },
  now,
  zone,
  isArchive,
}: Pick<ListFacts, 'list' | 'now' | 'zone'> & { isArchive: boolean }) {
  const isBusy = videos.some(({ status }) => !isTerminal(status))
  const days = videos.map(({ createdAt }) => dayOf(Date.parse(createdAt), now, zone))
  return (
    <ul
      class="videos"
      aria-label="Videos"
      data-region="videos"
      data-keyed
      // Archived videos do not change.
      data-poll-ms={isArchive ? undefined : isBusy ? pollMs.busy : pollMs.quiet}
    >
      {videos.map((video, i) => (
        <>
          {days[i] !== days[i - 1] && (
            <li class="day" data-key={`day-${days[i]}`}>
              <h2>{days[i]}</h2>
            </li>
          )}
          <ListedVideoRow video={video} now={now} />
        </>
      ))}
    </ul>
  )
}

function Search({ query: { q, status } }: { query: ListQuery }) {
  return (
    <form method="get" action="/app/videos" role="search">
      <input
        class="input"
        type="search"
        name="q"
        value={q}
        maxlength={255}
        placeholder="Search by name or id"
        aria-label="Search by name or id"
        aria-keyshortcuts="/"
        data-search
      />
      {status && <input type="hidden" name="status" value={status} />}
    </form>
  )
}

function Filters({ query, counts }: { query: ListQuery; counts: Record<VideoStatus, number> }) {
  const { q, status: chosen, archived } = query
  const current = (status: VideoStatus | undefined) =>
    chosen === status && !archived ? 'true' : undefined
  return (
    <nav class="filters" aria-label="Status" data-region="filters">
      <a href={listAddress({ q })} aria-current={current(undefined)}>
        All
      </a>
      {videoStatuses.map((status) => (
        <a href={listAddress({ q, status })} aria-current={current(status)}>
          {statusWords[status].word} {describeNumber(counts[status])}
        </a>
      ))}
      <a href={archiveAddress} aria-current={archived}>
        Archived
      </a>
    </nav>
  )
}

const describeNumber = (count: number) => (count < mostCounted ? count : `${mostCounted - 1}+`)

/** The actions for chosen videos; where scripts run, they appear once one is chosen. */
function Bulk({ mayCancel }: { mayCancel: boolean }) {
  return (
    <div class="bulk" data-bulk>
      <label class="needs-script">
        <input type="checkbox" data-all />
        <span data-chosen>Select all</span>
      </label>
      <span class="chosen row">
        {mayCancel && (
          <Button size="small" name="action" value="cancel" dialog="ask-cancel">
            Cancel
          </Button>
        )}
        <Button size="small" look="danger" name="action" value="delete" dialog="ask-delete">
          Delete
        </Button>
      </span>
    </div>
  )
}

function NothingFound({ query, list }: { query: ListQuery; list: VideoList }) {
  return (
    <p class="soft">
      {describeNothing(query, list)} <a href="/app/videos">Show all videos</a>
    </p>
  )
}

function describeNothing(query: ListQuery, { looked = 0, nextCursor }: VideoList): string {
  const { q, status, archived } = query
  if (archived) return 'No video is archived.'
  const kind =
    status === undefined ? 'video' : `video that is ${statusWords[status].word.toLowerCase()}`
  if (q === '') return `There is no ${kind}.`
  if (nextCursor === undefined) return `No ${kind} has “${q}” in its name.`
  return `None of the newest ${formatCount(looked, 'video')} has “${q}” in its name. “Older” looks further back.`
}

function describeExtent({ videos, looked, nextCursor }: VideoList): string {
  if (looked === undefined) return formatCount(videos.length, 'video')
  const found = `${formatCount(videos.length, 'video')} found`
  return nextCursor === undefined
    ? found
    : `${found} among the newest ${formatCount(looked, 'video')}; “Older” looks further back`
}

/** GET /app/videos */
export async function showVideos(c: Context<AppEnv>): Promise<Response> {
  const { accountId, role } = memberOf(c)
  const settings = readSettings(c.env)
  const now = Date.now()
  const query = shownListQuery.parse(c.req.query())
  const list = await readVideoList(c.env, accountId, query, pageLinks(settings, now))
  const zone = readZone(getCookie(c, 'zone'))
  const done = doneText.parse(c.req.query('done'))
  const mayMakeKeys = role === 'owner'
  return sendPage(c, videoListPage({ mayMakeKeys, query, list, done, now, zone }))
}
