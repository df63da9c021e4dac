// `rollcall completion bash|zsh|fish`: scripts by which a shell completes commands and flags. The scripts ask the installed
// command for candidates, so they never go out of date.
import { Argument, type Command, type Option } from 'commander'
import { clusterNames } from './cluster-folder.ts'

const shells = ['bash', 'zsh', 'fish'] as const

interface Candidate {
  readonly word: string
  readonly about: string
}

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .summary('print a completion script for bash, zsh or fish')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Examples:
  source <(rollcall completion bash)                                   in ~/.bashrc
  source <(rollcall completion zsh)                                    in ~/.zshrc
  rollcall completion fish > ~/.config/fish/completions/rollcall.fish`,
    )
    .action((shell: (typeof shells)[number]) => void process.stdout.write(scripts[shell]))

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words: readonly string[]) => {
      const lines = complete(program, words, clusterNames()).map(({ word, about }) => `${word}\t${about}\n`)
      process.stdout.write(lines.join(''))
    })
}

/** `words` are those after `rollcall`; the last one is being written, and may be empty. Empty: the shell completes file names. */
export function complete(program: Command, words: readonly string[], names: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  let command = program
  let pending: Option | undefined
  for (const word of before) {
    if (pending !== undefined) {
      pending = undefined
      continue
    }
    const option = word.startsWith('-') ? optionsOf(command).find((one) => one.long === word || one.short === word) : undefined
    if (option?.required) pending = option
    else if (!word.startsWith('-')) command = command.commands.find((one) => one.name() === word) ?? command
  }
  const startsWith = ({ word }: Candidate) => word.startsWith(current)
  if (pending !== undefined) return valuesOf(pending, names).filter(startsWith)
  if (current.startsWith('-'))
    return optionsOf(command)
      .filter(({ hidden }) => !hidden)
      .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: firstLine(description) }))
      .filter(startsWith)
  const subcommands = command.commands.filter((one) => !one.name().startsWith('__'))
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, about: description })),
  )
  return [...subcommands.map((one) => ({ word: one.name(), about: firstLine(one.summary() || one.description()) })), ...choices].filter(
    startsWith,
  )
}

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command)

const valuesOf = ({ long, argChoices }: Option, names: readonly string[]): Candidate[] =>
  (long === '--name' ? names : (argChoices ?? [])).map((word) => ({ word, about: '' }))

const firstLine = (text: string) => text.split('\n', 1)[0]!

const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# bash completion of rollcall
_rollcall() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$(rollcall __complete -- "\${words[@]}" "$current" 2>/dev/null | cut -f 1)" -- "$current"))
}
complete -o default -F _rollcall rollcall
`,
  zsh: `#compdef rollcall
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_rollcall() {
  local -a candidates
  local line
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(rollcall __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe rollcall candidates; else _files; fi
}
compdef _rollcall rollcall
`,
  fish: `# fish completion of rollcall
function __rollcall_complete
  set -l words (commandline -opc) (commandline -ct)
  rollcall __complete -- $words[2..-1] 2>/dev/null
end
# File names only where Rollcall has no candidates.
complete -c rollcall -f -n 'count (__rollcall_complete) >/dev/null' -a '(__rollcall_complete)'
`,
}
