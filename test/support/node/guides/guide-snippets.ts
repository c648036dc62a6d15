import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { addLanguages } from '../../../../scripts/guides/add-languages.ts'
import { snippetsOf, type Snippet } from '../../../../scripts/guides/snippets-of.ts'
import { root } from '../../../../scripts/machine/checkout.ts'
import { writtenBaseUrl } from '../../../../worker/reference/guides/guide-list.ts'

export async function readSnippets(file: string): Promise<Snippet[]> {
  return snippetsOf(addLanguages(await readFile(path.join(root, file), 'utf8')))
}

type Reader = { baseUrl: string; apiKey: string; hookPort: number }

const run = promisify(execFile)

/**
 * Somebody who pastes the snippets of one page, in an empty folder with the client installed. The shell is one session, as
 * in a terminal; every program in TypeScript and Python is a file of its own.
 */
export class PageReader {
  readonly folder: string
  readonly #reader: Reader

  private constructor(folder: string, reader: Reader) {
    this.folder = folder
    this.#reader = reader
  }

  static async open(reader: Reader): Promise<PageReader> {
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-reader-'))
    await mkdir(path.join(folder, 'node_modules'))
    await symlink(path.join(root, 'client'), path.join(folder, 'node_modules/spool-video'))
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module", "private": true }')
    // A refusal is an error of the command, and the answer is still shown.
    await writeFile(path.join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
    return new PageReader(folder, reader)
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  get #environment(): NodeJS.ProcessEnv {
    const { PATH, LANG } = process.env
    const { baseUrl, apiKey } = this.#reader
    const home = { HOME: this.folder, CURL_HOME: this.folder }
    return { PATH, LANG, ...home, SPOOL_BASE_URL: baseUrl, SPOOL_API_KEY: apiKey }
  }

  /** What a reader sees and fills in: the address of the service, the key, and a free port for a receiver of webhooks. */
  #paste(text: string): string {
    const { baseUrl, apiKey, hookPort } = this.#reader
    return text
      .replaceAll(writtenBaseUrl, baseUrl)
      .replaceAll('spool_…', apiKey)
      .replaceAll('127.0.0.1:9001', `127.0.0.1:${hookPort}`)
      .replaceAll('("127.0.0.1", 9001)', `("127.0.0.1", ${hookPort})`)
  }

  /** Runs one program, and returns what it printed. */
  async program({ lang, text }: Snippet): Promise<string> {
    const isPython = lang === 'python'
    const file = path.join(this.folder, isPython ? 'snippet.py' : 'snippet.ts')
    await writeFile(file, this.#paste(text))
    const [program, flags] = isPython ? ['python3', []] : [process.execPath, ['--no-warnings']]
    const { stdout, stderr } = await run(program, [...flags, file], {
      cwd: this.folder,
      env: this.#environment,
    })
    return `${stdout}${stderr}`
  }

  /** Runs commands one after the other in one shell; the answer names those that failed, by their places in the list. */
  async shell(snippets: readonly Snippet[]): Promise<{ failed: number[]; output: string }> {
    const lines = ['at=0', `trap 'printf "\\n::failed %s\\n" $at >&3' ERR`]
    for (const [i, { text }] of snippets.entries()) {
      await writeFile(path.join(this.folder, `snippet-${i}.sh`), this.#paste(text))
      lines.push(`at=${i}`, `echo "--- ${i}"`, `source ./snippet-${i}.sh`)
    }
    // What snippets leave in the background ends with their shell.
    lines.push('trap - ERR', 'kill $(jobs -p) 2>/dev/null', 'exit 0')
    const shell = spawn('bash', ['-c', `exec 3>&1 2>&1\n${lines.join('\n')}`], {
      cwd: this.folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await once(shell, 'close')
    const failed = [...output.matchAll(/^::failed (\d+)$/gm)].map(([, i]) => Number(i))
    return { failed: [...new Set(failed)], output }
  }
}
