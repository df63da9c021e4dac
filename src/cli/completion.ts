// `rollcall completion bash|zsh|fish`: scripts by which a shell completes commands and flags. The scripts ask the installed
// command for candidates, so they never go out of date.
import { Argument, type Command, type Option } from 'commander'
import { clusterNames } from './cluster-folder.ts'
import { ListOption } from './flag-values.ts'

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
  let operands = 0
  for (const word of before) {
    if (pending !== undefined) {
      pending = undefined
      continue
    }
    if (word.startsWith('-')) {
      const option = optionNamed(command, word)
      if (option?.required) pending = option
      continue
    }
    const subcommand = command.commands.find((one) => one.name() === word)
    operands = subcommand === undefined ? operands + 1 : 0
    command = subcommand ?? command
  }
  if (pending !== undefined) return valuesOf(pending, current, names)
  const [, flag = '', value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? []
  if (value !== undefined) {
    const option = optionNamed(command, flag)
    return option === undefined ? [] : valuesOf(option, value, names).map(({ word, about }) => ({ word: `${flag}=${word}`, about }))
  }
  const startsWith = ({ word }: Candidate) => word.startsWith(current)
  if (current.startsWith('-'))
    return optionsOf(command)
      .filter(({ hidden }) => !hidden)
      .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: firstLine(description) }))
      .filter(startsWith)
  const subcommands = operands > 0 ? [] : command.commands.filter((one) => !one.name().startsWith('__'))
  const { argChoices = [], description = '' } = argumentAt(command, operands) ?? {}
  return [
    ...subcommands.map((one) => ({ word: one.name(), about: firstLine(one.summary() || one.description()) })),
    ...argChoices.map((word) => ({ word, about: description })),
  ].filter(startsWith)
}

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command)

const optionNamed = (command: Command, name: string) => optionsOf(command).find(({ long, short }) => long === name || short === name)

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[index] ?? (last?.variadic ? last : undefined)
}

/** The values that continue `current`. In a list, the names before the last comma stay, and are not offered again; `all` stands alone. */
function valuesOf(option: Option, current: string, names: readonly string[]): Candidate[] {
  const head = option instanceof ListOption ? current.slice(0, current.lastIndexOf(',') + 1) : ''
  const given = head.split(',').map(nameOf)
  const known = option instanceof ListOption ? option.names : option.long === '--name' ? names : (option.argChoices ?? [])
  return known
    .filter((word) => !given.includes(nameOf(word)) && !(head !== '' && word === 'all'))
    .map((word) => ({ word: head + word, about: '' }))
    .filter(({ word }) => word.startsWith(current))
}

/** Of `Gate=true` the name is `Gate`. */
const nameOf = (word: string) => word.split('=', 1)[0]!

const firstLine = (text: string) => text.split('\n', 1)[0]!

const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# bash completion of rollcall
_rollcall() {
  local IFS=$'\\n' words=() word last=-1 joins=
  # Bash splits words at = and :. They are joined again.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $last -ge 0 && ( $joins || $word =~ ^[=:]+$ ) ]]; then words[last]+=$word; else words[++last]=$word; fi
    if [[ $word =~ ^[=:]+$ ]]; then joins=1; else joins=; fi
  done
  # Bash replaces only the part behind the last = or :.
  local kept=\${words[last]}
  if [[ ! $word =~ ^[=:]+$ ]]; then kept=\${kept%"$word"}; fi
  COMPREPLY=($(rollcall __complete -- "\${words[@]}" 2>/dev/null | cut -f 1))
  COMPREPLY=("\${COMPREPLY[@]#"$kept"}")
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
