import { Button } from '../design/button.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import { Tabs } from '../design/tabs.tsx'
import type { Request } from './build-request.ts'
import { asCurl, asJson, asTypeScript } from '../request-code.ts'

/** The request that the form makes, in three spellings. The first can be edited. */
export function RequestView({ request, baseUrl }: { request: Request; baseUrl: string }) {
  return (
    <section class="request" aria-label="Request" data-request>
      <Tabs
        label="The request as"
        tabs={[
          { id: 'json', label: 'JSON', content: <JsonEditor text={asJson(request)} /> },
          {
            id: 'curl',
            label: 'curl',
            content: <CodeBlock label="curl" code={asCurl(request, baseUrl)} shell />,
          },
          {
            id: 'typescript',
            label: 'TypeScript',
            content: <CodeBlock label="TypeScript" code={asTypeScript(request, baseUrl)} />,
          },
        ]}
      />
    </section>
  )
}

function JsonEditor({ text }: { text: string }) {
  return (
    <figure class="code">
      <figcaption>
        <label for="request-json">Edit it here or with the controls</label>
        <Button size="small" look="quiet" copy={text} label="Copy JSON">
          Copy
        </Button>
      </figcaption>
      <textarea
        class="input mono"
        id="request-json"
        rows={12}
        spellcheck={false}
        autocomplete="off"
        aria-describedby="request-fault"
      >
        {text}
      </textarea>
      <p class="fault" id="request-fault" role="alert"></p>
    </figure>
  )
}
