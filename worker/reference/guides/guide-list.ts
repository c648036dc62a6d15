import { z } from 'zod'

/**
 * Every page of the guides, in the order of the navigation: one line for each. `file` is its place in the repository, from
 * which its address follows. A test fails for a page of `docs/` that is in no section.
 */
export const guideSections: readonly GuideSection[] = [
  {
    title: 'Start',
    readers: 'everyone',
    pages: [
      { file: 'docs/README.md', title: 'First video' },
      { file: 'docs/api.md', title: 'Using the API' },
      { file: 'docs/cli.md', title: 'Command line' },
      { file: 'client/README.md', title: 'TypeScript client' },
      { file: 'docs/dashboard.md', title: 'Dashboard' },
    ],
  },
  {
    title: 'In depth',
    readers: 'everyone',
    pages: [
      { file: 'docs/picture.md', title: 'The picture' },
      { file: 'docs/captions.md', title: 'Captions and text' },
      { file: 'docs/edit-by-text.md', title: 'Edit by text' },
      { file: 'docs/uploads.md', title: 'Uploads' },
      { file: 'docs/storages.md', title: 'Storages' },
      { file: 'docs/cutting.md', title: 'Exact cuts' },
      { file: 'docs/long-films.md', title: 'Long films' },
      { file: 'docs/webhooks.md', title: 'Webhooks' },
      { file: 'docs/agents.md', title: 'Agents' },
      { file: 'docs/no-code.md', title: 'n8n, Make and Zapier' },
      { file: 'docs/content-analysis.md', title: 'Content analysis' },
      { file: 'docs/checks.md', title: 'Checks' },
      { file: 'docs/errors.md', title: 'Errors' },
      { file: 'docs/limits.md', title: 'Limits' },
    ],
  },
  {
    title: 'Cookbook',
    readers: 'everyone',
    pages: [
      { file: 'docs/cookbook/podcast.md', title: 'Clean a podcast' },
      { file: 'docs/cookbook/podcast-and-clips.md', title: 'A podcast and its clips' },
      { file: 'docs/cookbook/hour-into-clips.md', title: 'An hour into five clips' },
      { file: 'docs/cookbook/interview-by-speaker.md', title: 'An interview by speaker' },
      { file: 'docs/cookbook/vertical-clip.md', title: 'Vertical clip, logo, music' },
      { file: 'docs/cookbook/join-clips.md', title: 'Join clips' },
      { file: 'docs/cookbook/captions.md', title: 'Captions for a talk' },
      { file: 'docs/cookbook/preview.md', title: 'A preview that moves' },
      { file: 'docs/cookbook/hls.md', title: 'HLS for a site' },
      { file: 'docs/cookbook/long-interview.md', title: 'Edit a long interview' },
      { file: 'docs/cookbook/watch-folder.md', title: 'Watch a folder' },
      { file: 'docs/cookbook/clips-from-a-table.md', title: 'A thousand clips from a table' },
      { file: 'docs/cookbook/upload-to-bucket.md', title: 'Uploads to a bucket' },
      { file: 'docs/cookbook/into-my-bucket.md', title: 'Into my own bucket' },
    ],
  },
  {
    title: 'Coming from',
    readers: 'everyone',
    pages: [
      { file: 'docs/coming-from/transloadit.md', title: 'Transloadit' },
      { file: 'docs/coming-from/shotstack.md', title: 'Shotstack' },
      { file: 'docs/coming-from/mux.md', title: 'Mux' },
      { file: 'docs/coming-from/rendi.md', title: 'Rendi' },
      { file: 'docs/coming-from/json2video.md', title: 'JSON2Video' },
      { file: 'docs/coming-from/coconut.md', title: 'Coconut' },
      { file: 'docs/coming-from/nca-toolkit.md', title: 'NCA Toolkit' },
    ],
  },
  {
    title: 'Run your own',
    readers: 'operators',
    pages: [
      { file: 'docs/operators/configuration.md', title: 'Configuration' },
      { file: 'docs/operators/providers.md', title: 'Speech and analysis providers' },
      { file: 'docs/operators/people.md', title: 'People and mail' },
      { file: 'docs/operators/self-hosting.md', title: 'A server of your own' },
      { file: 'docs/operators/deploy.md', title: 'Deployment' },
      { file: 'docs/operators/operations.md', title: 'Operations' },
      { file: 'docs/operators/media-workers.md', title: 'Media workers elsewhere' },
      { file: 'docs/operators/backup.md', title: 'Backup and restore' },
      { file: 'docs/operators/security.md', title: 'Security' },
      { file: 'docs/operators/reliability.md', title: 'Reliability' },
      { file: 'docs/operators/scale.md', title: 'Scale' },
      { file: 'docs/operators/dependencies.md', title: 'Dependencies' },
    ],
  },
]

/** Readers of pages for `everyone` have no repository, so these pages may name no file of it; `operators` have one. */
export type GuideSection = {
  title: string
  readers: 'everyone' | 'operators'
  pages: readonly GuideEntry[]
}

export type GuideEntry = { file: string; title: string }

/** The folders of files that the guides show and use, as they are served. */
export const guideFolders = ['images', 'examples'] as const

export const guidesPath = '/docs'
export const referencePath = '/docs/reference'

/** A page of the reference by its name: that of an operation, of an object, or none for the overview. */
export const addressOfReference = (name: string) =>
  name === '' ? referencePath : `${referencePath}/${name}`

/** `docs/uploads.md` and `docs/operators/deploy.md` are served at `/docs/uploads` and `/docs/deploy`, the client’s page at `/docs/client`. */
export function guideAddress(file: string): string {
  const name = file.replace(/^docs\/(operators\/)?/, '').replace(/\.md$/, '')
  return `${guidesPath}/${name.replace(/(^|\/)README$/, '')}`.replace(/\/$/, '')
}

/** Where the Markdown of a page is served. */
export const markdownAddressOf = (file: string) =>
  guideAddress(file) === guidesPath ? `${guidesPath}/index.md` : `${guideAddress(file)}.md`

/** The name of a page among the built files. */
export const builtNameOf = (file: string) =>
  guideAddress(file)
    .slice(guidesPath.length + 1)
    .replaceAll('/', '.') || 'index'

/** A page of the guides as it is built from its Markdown. */
export const guide = z.object({
  title: z.string(),
  /** The first paragraph of the page, as plain text. */
  about: z.string(),
  html: z.string(),
  headings: z.array(z.object({ id: z.string(), level: z.number(), text: z.string() })),
})
export type Guide = z.infer<typeof guide>

/**
 * The address that the guides in the repository use, where `npm start` serves. A running service shows its own address
 * instead, so that every command can be pasted.
 */
export const writtenBaseUrl = 'http://127.0.0.1:8787'
