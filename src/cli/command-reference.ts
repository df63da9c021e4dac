// `rollcall __reference`: every command with its flags, as the page of the documentation, docs/reference/commands.md.
import type { Command, Option } from 'commander'
import { allCommands, wrapHelp } from './help-layout.ts'

export function addReferenceCommand(program: Command): void {
  program
    .command('__reference', { hidden: true })
    .helpOption(false)
    .action(() => void process.stdout.write(renderReference(program)))
}

const head = `# Commands

Generated from the command line by \`npm run docs\`. Every command also has \`--help\`. With \`NO_COLOR\` set, no command prints colours. Errors are one line, \`error: what happened. What to do.\`, on the
standard error; \`--verbose\` adds the stack trace. Exit codes: 0 success, 1 failure, 2 wrong input or wrong flags, 130 interrupted; exceptions are named below.
`

const renderReference = (program: Command): string => `${head}${allCommands(program).map(renderCommand).join('')}`

function pathOf(command: Command): string {
  const { parent } = command
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

function renderCommand(command: Command): string {
  const help = command.createHelp()
  const path = pathOf(command)
  const words = command.registeredArguments
    .map((argument) => help.argumentTerm(argument))
    .map((term, index) => bracketed(command, term, index))
  const about = command.description() || sentence(command.summary())
  const groups = new Map<string, Option[]>()
  for (const option of help.visibleOptions(command)) {
    if (option.long === '--help') continue
    const group = option.helpGroupHeading ?? 'Options:'
    groups.set(group, [...(groups.get(group) ?? []), option])
  }
  const after: string[] = []
  const own = command.configureOutput()
  command.configureOutput({ ...own, writeOut: (text) => void after.push(text) }).outputHelp()
  command.configureOutput(own)
  return [
    `\n## ${path}\n\n${paragraphs(about)}\n\n`,
    `    ${[path, '[flags]', ...words].join(' ')}\n\n`,
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((one) => `- \`${one.name()}\`: ${escaped(one.description)}${valuesOf(one.argChoices)}\n`),
    ...[...groups].map(([group, options]) => table(group.replace(/:$/, ''), options)),
    epilogue(after.slice(1).join('')),
  ].join('')
}

const valuesOf = (choices: readonly string[] = []) =>
  choices.length === 0 ? '' : `, one of ${choices.map((one) => `\`${one}\``).join(', ')}`
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
const escaped = (text: string) =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

function bracketed(command: Command, term: string, index: number): string {
  const { required, variadic } = command.registeredArguments[index]!
  const name = variadic ? `${term}...` : term
  return required ? `<${name}>` : `[${name}]`
}

function table(group: string, options: readonly Option[]): string {
  const rows = options.map((option) => {
    const values = option.argChoices?.map((one) => `\`${one}\``) ?? []
    const choices = values.length === 0 ? '' : values.length === 1 ? `: ${values[0]}` : `. One of ${values.join(', ')}.`
    const isShown = option.defaultValue !== undefined && option.defaultValue !== false && !(option.negate && option.defaultValue === true)
    const fallback = isShown ? ` (default: ${option.defaultValueDescription ?? String(option.defaultValue)})` : ''
    return `| \`${option.flags.replaceAll('|', '\\|')}\` | ${escaped(option.description)}${fallback}${choices} |\n`
  })
  return `\n| ${group} | |\n|---|---|\n${rows.join('')}`
}

/** What follows the flags in the help. */
function epilogue(text: string): string {
  const parts = paragraphs(text)
  return parts === '' ? '' : `\n${parts}\n`
}

/** Paragraphs stay, and indented lines become a block. Rows with two columns are wrapped; examples are not, so that they can be copied. */
function paragraphs(text: string): string {
  const flowed = wrapHelp(text, Number.POSITIVE_INFINITY).replace(/^\n+/, '').trimEnd()
  const parts = flowed.split(/\n\n+/).map((part) => {
    const [first = '', ...rest] = part.split('\n')
    if (/^\s/.test(first)) return `\`\`\`text\n${wrapHelp(part, 90)}\n\`\`\``
    return rest.length === 0 ? first : `${first}\n\n\`\`\`text\n${rest.join('\n')}\n\`\`\``
  })
  return parts.join('\n\n')
}
