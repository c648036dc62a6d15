import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { verifications } from '../../support/node/webhook-vectors.ts'
import { directoryForAll } from '../../support/node/directories.ts'

const run = promisify(execFile)

const folder = directoryForAll()
let page: string

beforeAll(async () => {
  page = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
  await writeFile(path.join(folder, 'cases.json'), JSON.stringify(verifications))
})

/** The one block of this language that checks a signature. */
function codeOf(language: string): string {
  const [, checks = ''] = page.split('\n## Checking the signature\n')
  const [section = ''] = checks.split('\n## ')
  const blocks = [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
  expect(blocks).toHaveLength(1)
  return blocks[0]?.[1] ?? ''
}

/** Writes these files and runs the command, which prints one JSON array: the cases that it accepts. */
async function believed(
  files: Record<string, string>,
  command: string,
  args: string[],
): Promise<Record<string, boolean>> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  const env = { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'on' }
  const { stdout } = await run(command, args, { cwd: folder, env })
  const results = JSON.parse(stdout) as boolean[]
  return Object.fromEntries(verifications.map(({ name }, i) => [name, results[i] ?? false]))
}

const expected = Object.fromEntries(verifications.map(({ name, good }) => [name, good]))

/** A machine may lack a language; the run then says so, and where changes are judged that is a failure. */
function requireCommand(context: TestContext, command: string, args: string[]): void {
  if (spawnSync(command, args).status === 0) return
  const missing = `${command} is not installed: its code in docs/webhooks.md was not run`
  if (process.env['CI'] && command !== 'go') throw new Error(missing)
  context.skip(missing)
}

describe('the code of docs/webhooks.md', () => {
  it('accepts only genuine webhooks in TypeScript', async () => {
    const main = `
      import { readFileSync } from 'node:fs'
      import { verifyWebhook } from './verify.ts'
      const cases = JSON.parse(readFileSync('cases.json', 'utf8'))
      console.log(JSON.stringify(cases.map(({ secret, headers, body, now }) => {
        try { verifyWebhook(secret, headers, body, now); return true } catch { return false }
      })))`
    const files = {
      'verify.ts': codeOf('ts'),
      'main.ts': main,
      'package.json': '{"type":"module"}',
    }
    expect(await believed(files, process.execPath, ['main.ts'])).toEqual(expected)
  })

  it('accepts only genuine webhooks in Python', async (context) => {
    requireCommand(context, 'python3', ['--version'])
    const main = `
import json
from verify import verify_webhook

def believes(case):
    try:
        verify_webhook(case["secret"], case["headers"], case["body"].encode(), case["now"])
        return True
    except ValueError:
        return False

print(json.dumps([believes(case) for case in json.load(open("cases.json", encoding="utf-8"))]))
`
    const files = { 'verify.py': codeOf('python'), 'main.py': main }
    expect(await believed(files, 'python3', ['main.py'])).toEqual(expected)
  })

  it('accepts only genuine webhooks in Go', async (context) => {
    requireCommand(context, 'go', ['version'])
    const main = `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"
)

type given struct {
	Secret, Body string
	Headers      map[string]string
	Now          int64
}

func main() {
	var cases []given
	file, _ := os.ReadFile("cases.json")
	if err := json.Unmarshal(file, &cases); err != nil {
		panic(err)
	}
	believed := []bool{}
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		err := Verify(each.Secret, header, []byte(each.Body), time.Unix(each.Now, 0))
		believed = append(believed, err == nil)
	}
	_ = json.NewEncoder(os.Stdout).Encode(believed)
}
`
    const files = {
      'go.mod': 'module webhook\n\ngo 1.19\n',
      'verify.go': codeOf('go').replace('package webhook', 'package main'),
      'main.go': main,
    }
    expect(await believed(files, 'go', ['run', '.'])).toEqual(expected)
  })
})
