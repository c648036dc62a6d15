import type { Child } from 'hono/jsx'

type Tab = { id: string; label: string; content: Child }

/** Sections of a page, one shown at a time. Without scripts, all are shown one below the other, and the tabs are links to them. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <div data-tabs>
      <nav class="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <a href={`#${tab.id}`} id={`tab-${tab.id}`}>
            {tab.label}
          </a>
        ))}
      </nav>
      {tabs.map((tab, i) => (
        <section
          class={i === 0 ? 'panel open' : 'panel'}
          id={tab.id}
          aria-labelledby={`tab-${tab.id}`}
        >
          <h2>{tab.label}</h2>
          {tab.content}
        </section>
      ))}
    </div>
  )
}
