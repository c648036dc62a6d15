import { expect, it } from 'vitest'
import { addLanguages } from '../../../scripts/guides/add-languages.ts'

const commandFor = (body: string) => `Before it:

\`\`\`sh tabs
curl "$SPOOL_BASE_URL/v1/videos" \\
  -H "Authorization: Bearer $SPOOL_API_KEY" \\
  -d '${body}'
\`\`\`

Behind it.
`
const clip = 'https://example.com/a-name-that-fills-most-of-a-line.mp4'
const body = { files: [{ url: clip, mute: true }, { url: clip }], metadata: { who: 'it’s "me"' } }

it('shows a command that creates a video as programs that do the same', () => {
  const shown = addLanguages(commandFor(JSON.stringify(body)))
  expect(shown).toMatch(/^Before it:\n\n```sh\ncurl "/)
  expect(shown).toContain(`\`\`\`ts
import { Spool } from 'spool-video'

const spool = new Spool() // reads SPOOL_BASE_URL and SPOOL_API_KEY
const { videoId } = await spool.videos.create({
  files: [
    {
      url: '${clip}',
      mute: true,
    },
    { url: '${clip}' },
  ],
  metadata: { who: "it’s \\"me\\"" },
})
`)
  expect(shown).toContain(`{
            "url": "${clip}",
            "mute": True,
        },
`)
  expect(shown).toMatch(/\n```\n\nBehind it\.\n$/)
})

it('tells the results of several outputs', () => {
  const shown = addLanguages(commandFor('{ "outputs": [{ "name": "web" }] }'))
  expect(shown).toContain('of video.outputs ?? []) console.log(name, url)')
  expect(shown).toContain('for output in video["outputs"]]')
})

it('stops the build at a command that creates no video', () => {
  const other = commandFor('{}').replace('/v1/videos', '/v1/presets/one')
  expect(() => addLanguages(other)).toThrow('A command that creates no video:\ncurl ')
})
