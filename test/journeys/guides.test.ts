import { beforeAll, describe, expect, it } from 'vitest'
import { bundleClient } from '../../scripts/client/build-client.ts'
import { guideSections } from '../../worker/reference/guides/guide-list.ts'
import { campaignAfter } from '../support/node/campaign.ts'
import { cancelUnfinished } from '../support/node/api.ts'
import { freePort } from '../support/node/free-port.ts'
import type { Snippet } from '../../scripts/guides/snippets-of.ts'
import { PageReader, readSnippets } from '../support/node/guides/guide-snippets.ts'
import { sharedService } from '../support/node/shared-service.ts'
import { notRun, refused, runnable } from '../support/node/guides/snippets-not-run.ts'

const files = ['README.md', ...guideSections.flatMap(({ pages }) => pages.map(({ file }) => file))]

beforeAll(async () => bundleClient())

function isLeftOut(file: string, { lang, text }: Snippet): boolean {
  return (
    !runnable.includes(lang) ||
    notRun.some(([page, begins]) => page === file && (begins === '*' || text.startsWith(begins)))
  )
}

const isRefused = (file: string, { text }: Snippet) =>
  refused.some(([page, has]) => page === file && text.includes(has))

/** Pastes a whole page as somebody with an account of their own, and says of each snippet that does not work in which line it stands. */
async function paste(file: string): Promise<string[]> {
  const snippets = (await readSnippets(file)).filter((snippet) => !isLeftOut(file, snippet))
  const service = await sharedService()
  const { baseUrl, apiKey } = service.dev
  const reader = await PageReader.open({ baseUrl, apiKey, hookPort: await freePort() })
  const faults: string[] = []
  try {
    const commands = snippets.filter(({ lang }) => lang === 'sh')
    const { failed, output } = await reader.shell(commands)
    for (const [i, snippet] of commands.entries()) {
      if (failed.includes(i) === isRefused(file, snippet)) continue
      const said = output.split(`--- ${i}\n`)[1]?.split('\n--- ')[0]
      faults.push(`${file}:${snippet.line}: ${said}`)
    }
    for (const snippet of snippets.filter(({ lang }) => lang !== 'sh')) {
      await reader.program(snippet).catch((error: unknown) => {
        faults.push(`${file}:${snippet.line}: ${String(error)}`)
      })
    }
  } finally {
    await reader.close()
    await cancelUnfinished(service)
  }
  return faults
}

/** The pages of which some snippets run. */
const pages = files.filter(
  (file) => !notRun.some(([page, begins]) => page === file && begins === '*'),
)

// Most of the time a reader waits for a video.
describe.concurrent('every snippet of', () => {
  // The first runs in every suite; the second takes far longer than any other.
  const first = ['docs/webhooks.md', 'docs/api.md']
  for (const [i, file] of [...first, ...pages.filter((name) => !first.includes(name))].entries()) {
    it(`${file} works as it is pasted`, { tags: campaignAfter(1, i) }, async () => {
      expect(await paste(file)).toEqual([])
    })
  }
})

describe('the snippets that no test runs', () => {
  it('are there, and are only those', async () => {
    for (const [file, begins] of notRun) {
      const snippets = await readSnippets(file)
      expect(
        snippets.some(({ text }) => begins === '*' || text.startsWith(begins)),
        `${file}: ${begins}`,
      ).toBe(true)
    }
  })

  it('are JSON where they say so', async () => {
    for (const file of pages) {
      for (const { lang, text, line } of await readSnippets(file)) {
        if (lang === 'json') expect(() => void JSON.parse(text), `${file}:${line}`).not.toThrow()
      }
    }
  })
})
