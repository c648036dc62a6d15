import type { Command } from '../arguments/command.ts'
import { completeLine, type Completion } from '../arguments/complete-line.ts'
import { UsageError } from '../session/command-error.ts'

/** Each asks this program what may come next, so that a new version needs no new script. */
const scripts: Record<string, string> = {
  bash: `_spool() {
  local line words
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      compopt -o default 2>/dev/null
      return
    fi
    COMPREPLY+=("$line")
  done < <(spool __complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _spool spool
`,
  zsh: `#compdef spool
_spool() {
  local -a names shown
  local line
  for line in "\${(@f)$(spool __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    if [[ $line == ':files' ]]; then
      _files
      return
    fi
    names+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  compadd -l -d shown -a names
}
if [ "\${funcstack[1]}" = "_spool" ]; then
  _spool "$@"
else
  compdef _spool spool
fi
`,
  fish: `function __spool_complete
  set -l tokens (commandline -opc) (commandline -ct)
  for line in (spool __complete fish $tokens[2..-1] 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c spool -f -a '(__spool_complete)'
`,
}

export const completion: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands and flags in bash, zsh or fish',
  positionals: { name: 'bash|zsh|fish', least: 1, most: 1 },
  examples: {
    'bash, in ~/.bashrc': 'source <(spool completion bash)',
    'zsh, in ~/.zshrc after compinit': 'source <(spool completion zsh)',
    fish: 'spool completion fish > ~/.config/fish/completions/spool.fish',
  },
  async run({ first }, { screen }) {
    const script = Object.hasOwn(scripts, first) ? scripts[first] : undefined
    if (script === undefined) {
      throw new UsageError(`There is completion for bash, zsh and fish, not for ${first}.`)
    }
    screen.print(script.trimEnd())
  },
}

/** What the scripts call. */
export function completeAmong(commands: readonly Command[]): Command {
  return {
    name: '__complete',
    summary: 'What may come next',
    isHidden: true,
    isRaw: true,
    examples: {},
    async run({ positionals: [shell = '', ...words] }, { screen }) {
      const isBash = shell === 'bash'
      const asked = isBash ? splitTyped(words[0] ?? '').slice(1) : words
      const found = completeLine(asked, commands)
      for (const line of linesFor(shell, found, asked.at(-1) ?? '')) screen.print(line)
    },
  }
}

/** A line as it is typed: quotes and backslashes keep spaces together. */
function splitTyped(line: string): string[] {
  const words = line.match(/(?:\\.|"[^"]*"?|'[^']*'?|[^\s\\])+|\\$/g) ?? []
  const plain = words.map((word) => word.replaceAll(/\\(.)|["']/g, '$1'))
  return /\s$/.test(line) && !/\\\s$/.test(line) ? [...plain, ''] : plain
}

/** Bash breaks words at colons and equal signs, and wants only what follows the last of them. */
function linesFor(shell: string, found: Completion, current: string): string[] {
  if (found === 'files') return [':files']
  if (shell !== 'bash') {
    return found.map(({ text, about }) => (about === '' ? text : `${text}\t${about}`))
  }
  const broken = current.slice(0, Math.max(current.lastIndexOf(':'), current.lastIndexOf('=')) + 1)
  return found.map(({ text }) => text.slice(broken.length))
}
