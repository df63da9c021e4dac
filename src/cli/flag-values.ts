// Parsers for the values of flags, shared by the commands.
import { InvalidArgumentError, Option } from 'commander'
import { defaultFeatureGates, parseFeatureGates } from '../api/machinery/feature-gates.ts'
import { isSwitchable, type SwitchablePlugin, switchablePlugins } from '../api/machinery/switchable-plugins.ts'
import { parseDurationMs } from '../base/duration.ts'

/** As kubectl has them. `wide`: a table with more columns or rows; `name`: one name a line. */
export type OutputFormat = 'json' | 'yaml' | 'wide' | 'name'

export interface OutputOption<Format extends OutputFormat = 'json' | 'yaml'> {
  readonly output?: Format
}

const formatSummaries: Readonly<Record<OutputFormat, string>> = { json: 'JSON', yaml: 'YAML', wide: 'a wider table', name: 'names' }

export const outputOption = (formats: readonly OutputFormat[] = ['json', 'yaml']) =>
  new Option('-o, --output <format>', `print ${formats.map((one) => formatSummaries[one]).join(', ')} instead of text`).choices(formats)

/** Whether a program reads the output. */
export const isData = (output: OutputFormat | undefined): output is 'json' | 'yaml' => output === 'json' || output === 'yaml'

export async function printData(value: unknown, format: 'json' | 'yaml'): Promise<void> {
  process.stdout.write(await dataText(value, format))
}

/** `isCompact`: JSON on one line, for what is long or written again and again. */
export async function dataText(value: unknown, format: 'json' | 'yaml', isCompact = false): Promise<string> {
  if (format === 'json') return `${JSON.stringify(value, null, isCompact ? 0 : 2)}\n`
  const { stringify } = await import('yaml')
  // Through JSON, as what is absent there is absent here.
  return `${isCompact ? '---\n' : ''}${stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0, aliasDuplicateObjects: false })}`
}

/** An option whose value is a list of known names, separated by commas. Shells complete the names. */
export class ListOption extends Option {
  readonly names: readonly string[]

  constructor(flags: string, description: string, names: readonly string[]) {
    super(flags, description)
    this.names = names
  }
}

/** `Gate=true,…` */
export const featureGateOption = (description: string, aboutDefault: string) =>
  new ListOption(
    '--feature-gates <list>',
    description,
    [...Object.keys(defaultFeatureGates), 'AllAlpha', 'AllBeta'].flatMap((name) => [`${name}=true`, `${name}=false`]),
  )
    .default(defaultFeatureGates, aboutDefault)
    .argParser(featureGateList)

/** `ServiceAccount,…`, may be repeated. */
export const admissionPluginsOption = (flag: string, description: string) =>
  new ListOption(`${flag} <list>`, description, switchablePlugins).argParser(admissionPluginList)

function admissionPluginList(text: string, before: readonly SwitchablePlugin[] = []): readonly SwitchablePlugin[] {
  const names = nameList(text)
  const unknown = names.filter((name) => !isSwitchable(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`${unknown.join(', ')} cannot be switched on or off; ${switchablePlugins.join(', ')} can.`)
  return [...new Set([...before, ...names.filter(isSwitchable)])]
}

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
  return value
}

/** For an option that may be given several times. */
export const append = (text: string, before: readonly string[] = []) => [...before, text]

export const duration = (text: string): number => {
  try {
    const ms = parseDurationMs(text)
    if (ms >= 1) return ms
  } catch {}
  throw new InvalidArgumentError('Write a duration such as 250ms, 90s, 1h30m or 2d.')
}

const featureGateList = (text: string) => {
  try {
    return parseFeatureGates(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** The limits are those of the server. */
export const clockSpeed = (text: string) => {
  const value = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 0.001 && value <= 10_000)) throw new InvalidArgumentError('Give a number from 0.001 to 10000.')
  return value
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || !(value > 0)) throw new InvalidArgumentError('Give a number greater than 0.')
  return value
}

/** Names that are separated by commas. */
export function nameList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.some((name) => name === '')) throw new InvalidArgumentError('Give names, separated by commas.')
  return names
}

export const evictionTimeoutOption = () =>
  new Option('--eviction-timeout <duration>', 'with --evictions: how long an eviction waits for the replacement of its pod')
    .default(300_000, '5m')
    .argParser(duration)
