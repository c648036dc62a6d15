import type { Child } from 'hono/jsx'
import { Brand } from '../../reference/pages/page-head.tsx'
import type { Member } from '../../contract/people/member.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** The frame around every page for people who are signed in. */
export function Shell({
  member,
  section,
  children,
}: {
  member: Member
  section: SectionName | undefined
  children: Child
}) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <Brand href="/app/videos" />
        <Navigation member={member} section={section} />
        <Account member={member} />
      </header>
      <main class="page" id="content" tabindex={-1}>
        {children}
      </main>
      <p class="connection" id="connection" role="status" hidden></p>
      <p class="aside" id="announcer" role="status" aria-live="polite"></p>
      <footer class="app-foot">
        <a href="/docs">Guides</a>
        <a href="/docs/reference">API reference</a>
        <button type="button" class="button quiet small needs-script" data-dialog="shortcuts">
          Keyboard shortcuts
        </button>
      </footer>
      <Shortcuts />
    </>
  )
}

function Navigation({ member, section }: { member: Member; section: SectionName | undefined }) {
  return (
    <nav aria-label="Dashboard">
      <ul>
        {sectionsFor(member).map(({ name, label, href }) => (
          <li>
            <a href={href} aria-current={name === section ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account({ member }: { member: Member }) {
  return (
    <div class="account">
      <span class="who" title={member.email ?? undefined} dir="auto">
        {member.name}
      </span>
      <form method="post" action="/app/sign-out">
        <Button look="quiet" size="small">
          Sign out
        </Button>
      </form>
    </div>
  )
}

const shortcuts = [
  ['/', 'Search'],
  ['n', 'New video'],
  ['j', 'Next in the list'],
  ['k', 'Previous in the list'],
  ['x', 'Select in the list'],
  ['Enter', 'Open'],
  ['Esc', 'Close'],
  ['?', 'This list'],
] as const

function Shortcuts() {
  return (
    <Dialog id="shortcuts" title="Keyboard shortcuts">
      <dl class="keys">
        {shortcuts.map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <form method="dialog" class="actions">
        <Button>Close</Button>
      </form>
    </Dialog>
  )
}

/** The sections of the dashboard, in the order of its navigation. */
const sections = [
  { name: 'videos', label: 'Videos', href: '/app/videos' },
  { name: 'new-video', label: 'New video', href: '/app/videos/new' },
  { name: 'batches', label: 'Batches', href: '/app/batches' },
  { name: 'keys', label: 'Keys', href: '/app/keys' },
  { name: 'webhooks', label: 'Webhooks', href: '/app/webhooks' },
  { name: 'storages', label: 'Storages', href: '/app/storages' },
  { name: 'usage', label: 'Usage', href: '/app/usage' },
  { name: 'settings', label: 'Settings', href: '/app/settings' },
  { name: 'operator', label: 'Operator', href: '/app/operator' },
] as const
export type SectionName = (typeof sections)[number]['name']

export function addressOf(section: SectionName | undefined): string | undefined {
  return sections.find(({ name }) => name === section)?.href
}

/** The sections that a member may open. */
function sectionsFor({ isOperator, role }: Member) {
  const closed = [isOperator ? '' : 'operator', role === 'owner' ? '' : 'keys']
  return sections.filter(({ name }) => !closed.includes(name))
}
