import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { shownText } from '../terminal/paint.ts'
import type { TerminalOutput } from '../terminal/screen.ts'
import { Interrupted } from './command-error.ts'

type Terminal = {
  stdin: Readable & { isTTY?: boolean | undefined; setRawMode?: (isRaw: boolean) => unknown }
  stderr: TerminalOutput
}

/**
 * Asks on the terminal; a hidden answer shows a star for each letter. Ctrl-C or Ctrl-D instead of an answer throws that
 * the command is interrupted.
 */
export async function ask(
  { stdin, stderr }: Terminal,
  question: string,
  { isHidden = false } = {},
): Promise<string> {
  stderr.write(shownText(question))
  stdin.setRawMode?.(true)
  stdin.resume()
  const answer = new TypedAnswer()
  try {
    return await new Promise<string>((resolve, reject) => {
      const onData = (chunk: Buffer | string) => {
        for (const key of splitKeys(String(chunk))) {
          const { shown, end } = answer.press(key, isHidden)
          stderr.write(shown)
          if (end === undefined) continue
          stdin.off('data', onData)
          if (end === 'done') resolve(answer.text)
          else reject(new Interrupted(true))
          return
        }
      }
      stdin.on('data', onData)
      stdin.once('end', () => reject(new Interrupted(true)))
    })
  } finally {
    stdin.setRawMode?.(false)
    stdin.pause()
    stderr.write('\n')
  }
}

/** Keys such as arrows arrive as a sequence, and have no place in an answer. */
function splitKeys(text: string): string[] {
  return [...text.replaceAll(/\u001b(\[[0-9;?]*[ -/]*[@-~]|O.)?/g, '')]
}

/** The line that is being typed. */
class TypedAnswer {
  text = ''

  press(key: string, isHidden: boolean): { shown: string; end?: 'done' | 'left' } {
    if (key === '\r' || key === '\n') return { shown: '', end: 'done' }
    if (key === '\u0003' || (key === '\u0004' && this.text === ''))
      return { shown: '', end: 'left' }
    if (key === '\u007f' || key === '\b') return this.#erase(1)
    if (key === '\u0015') return this.#erase([...this.text].length)
    if (key < ' ') return { shown: '' }
    this.text += key
    return { shown: isHidden ? '*' : key }
  }

  #erase(count: number): { shown: string } {
    const letters = [...this.text]
    const gone = Math.min(count, letters.length)
    this.text = letters.slice(0, letters.length - gone).join('')
    return { shown: '\b \b'.repeat(gone) }
  }
}

/** The first line of what is piped in. */
export async function readFirstLine(stdin: Readable): Promise<string> {
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}

/** Only a clear yes counts; leaving the question does not. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  try {
    const answer = await ask(terminal, `${question} [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } catch (error) {
    if (error instanceof Interrupted) return false
    throw error
  }
}
