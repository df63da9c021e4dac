// Named formats: `!format.dns1123Label().validate(self.name).hasValue()`.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.format.*, ConstantFormats
import { isDns1035Label, isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidLabelValue } from '../../validation/names.ts'
import { urlProblem } from '../../validation/request-url.ts'
import { listOf, opaque, optionalOf, string } from '../cel-type.ts'
import { type Functions, global, member } from '../functions.ts'
import { parseTimestamp } from '../time.ts'
import { CelList, OpaqueValue, Optional } from '../values.ts'

interface Format {
  readonly patternLength: number
  problems(text: string): readonly string[]
}

const ifWrong = (isRight: boolean, message: string) => (isRight ? [] : [message])
/** A name that is a prefix may end in a dash: Kubernetes appends a letter before it judges. */
const prefix = (judge: (text: string) => string[]) => (text: string) => judge(text.endsWith('-') ? `${text.slice(0, -1)}a` : text)

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

const formats: Readonly<Record<string, Format>> = {
  dns1123Label: { patternLength: 30, problems: isDns1123Label },
  dns1123Subdomain: { patternLength: 60, problems: isDns1123Subdomain },
  dns1035Label: { patternLength: 30, problems: isDns1035Label },
  qualifiedName: { patternLength: 60, problems: isQualifiedName },
  dns1123LabelPrefix: { patternLength: 30, problems: prefix(isDns1123Label) },
  dns1123SubdomainPrefix: { patternLength: 60, problems: prefix(isDns1123Subdomain) },
  dns1035LabelPrefix: { patternLength: 30, problems: prefix(isDns1035Label) },
  labelValue: { patternLength: 40, problems: isValidLabelValue },
  uri: { patternLength: 1000, problems: (text) => [urlProblem(text)].filter((problem) => problem !== undefined) },
  uuid: { patternLength: 80, problems: (text) => ifWrong(uuid.test(text), 'does not match the UUID format') },
  byte: { patternLength: 80, problems: (text) => ifWrong(base64.test(text), 'invalid base64') },
  date: { patternLength: 90, problems: (text) => ifWrong(isDate(text), 'invalid date') },
  datetime: { patternLength: 90, problems: (text) => ifWrong(parseTimestamp(text) !== undefined, 'invalid datetime') },
}

const type = opaque('kubernetes.NamedFormat')
const values = new Map(Object.entries(formats).map(([name, format]) => [name, new OpaqueValue(type, format)]))

function validate({ content: format }: OpaqueValue<Format>, text: string): Optional {
  const problems = format.problems(text)
  return problems.length === 0 ? Optional.none : new Optional(new CelList(problems))
}

const validateCost = ([format, text]: readonly unknown[]) =>
  Math.ceil((1 + (text as string).length) * 0.1) * Math.ceil((format as OpaqueValue<Format>).content.patternLength * 0.25)

export const namedFormats: Functions = {
  validate: [member([type, string], optionalOf(listOf(string)), validate, validateCost)],
  'format.named': [
    global([string], optionalOf(type), (name: string) => {
      const format = values.get(name)
      return format === undefined ? Optional.none : new Optional(format)
    }),
  ],
  ...Object.fromEntries([...values].map(([name, format]) => [`format.${name}`, [global([], type, () => format)]])),
}
