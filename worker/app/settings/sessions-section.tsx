import { timestamp } from '../../service/videos/describe-video.ts'
import { Button } from '../design/button.tsx'
import { DataTable } from '../design/data-table.tsx'
import { RelativeTime } from '../design/values.tsx'
import type { SettingsView } from './read-settings-page.ts'

/** The browsers in which the person is signed in. */
export function SessionsSection({ view: { member, sessions, now } }: { view: SettingsView }) {
  const rows = sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => [
    describeBrowser(userAgent),
    <RelativeTime at={timestamp(createdAt)} now={now} />,
    <RelativeTime at={timestamp(lastSeenAt)} now={now} />,
    id === member.sessionId ? (
      'This session'
    ) : (
      <form method="post" action="/app/settings/sessions/end">
        <input type="hidden" name="sessionId" value={id} />
        <Button size="small" label={`End the session of ${describeBrowser(userAgent)}`}>
          End
        </Button>
      </form>
    ),
  ])
  const columns = ['Browser', 'Signed in', 'Last used', 'Session']
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <DataTable caption="Where you are signed in" columns={columns} rows={rows} />
      {sessions.length > 1 && (
        <form method="post" action="/app/settings/sessions/end-others">
          <Button>Sign out everywhere else</Button>
        </form>
      )}
    </section>
  )
}

const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  // The order matters: each of these browsers also names the ones below it.
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** `Firefox on Linux`: enough for people to recognise a session of theirs. */
function describeBrowser(userAgent: string | null): string {
  const find = (known: typeof browsers) => known.find(([, mark]) => mark.test(userAgent ?? ''))?.[0]
  const browser = find(browsers) ?? 'An unknown browser'
  const system = find(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
