// The programs that a container has besides its shell: a few lines each, enough for what scripts in manifests do.
import { formatTime } from '../../base/clock.ts'
import { parseDuration } from '../kubelet/duration.ts'
import { evaluateTest, type FileFacts } from './test-expression.ts'

/** What a program may do to the world around it. */
export interface Surface extends FileFacts {
  readonly nowMs: number
  readonly hostname: string
  readonly directory: string
  readonly stdin: string
  readonly environment: ReadonlyMap<string, string>
  readonly user: { readonly id: number; readonly group: number }
  /** Undefined when there is none. */
  read(path: string): string | undefined
  write(path: string, text: string): void
  remove(path: string): boolean
  names(path: string): readonly string[]
  print(text: string): void
  complain(text: string): void
}

export interface Outcome {
  readonly code: number
  /** How long it takes. Infinity: until it is stopped. */
  readonly tookMs?: number
}

export type Program = (words: readonly string[], surface: Surface) => Outcome

const done: Outcome = { code: 0 }
const failed: Outcome = { code: 1 }

/** Lines, without the break at the end of the last. */
const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** The files that are named, or what comes in. */
function inputOf(paths: readonly string[], name: string, surface: Surface): string | undefined {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === '-')) return surface.stdin
  let text = ''
  for (const path of paths) {
    const content = surface.read(path)
    if (content === undefined) {
      surface.complain(`${name}: can't open '${path}': No such file or directory\n`)
      return undefined
    }
    text += content
  }
  return text
}

function filter(name: string, change: (lines: string[], options: readonly string[]) => string[]): Program {
  return (words, surface) => {
    const options = words.filter((word, index) => word.startsWith('-') || (index > 0 && /^-[nck]$/.test(words[index - 1]!)))
    const text = inputOf(
      words.filter((word) => !options.includes(word)),
      name,
      surface,
    )
    if (text === undefined) return failed
    const lines = change(linesOf(text), options)
    if (lines.length > 0) surface.print(`${lines.join('\n')}\n`)
    return done
  }
}

const countOption = (options: readonly string[], usual: number) => {
  const text = options.join(' ').match(/\d+/)?.[0]
  return text === undefined ? usual : Number(text)
}

function sleep(words: readonly string[], { complain }: Surface): Outcome {
  let tookMs = 0
  for (const word of words) {
    const ms = word === 'infinity' || word === 'inf' ? Number.POSITIVE_INFINITY : parseDuration(word)
    if (ms === undefined) {
      complain(`sleep: invalid number '${word}'\n`)
      return failed
    }
    tookMs += ms
  }
  return { code: 0, tookMs }
}

function echo(words: readonly string[], { print }: Surface): Outcome {
  let rest = words
  let ending = '\n'
  let isEscaped = false
  for (; /^-[neE]+$/.test(rest[0] ?? ''); rest = rest.slice(1)) {
    if (rest[0]!.includes('n')) ending = ''
    if (rest[0]!.includes('e')) isEscaped = true
  }
  const text = rest.join(' ')
  print(`${isEscaped ? unescaped(text) : text}${ending}`)
  return done
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', a: '\x07', b: '\b', '"': '"', "'": "'" }

function unescaped(text: string): string {
  return text.replace(/\\(0[0-7]{1,3}|[ntrab\\"'])/g, (_, one: string) =>
    one.startsWith('0') ? String.fromCharCode(Number.parseInt(one, 8)) : escapes[one]!,
  )
}

function printf([format = '', ...values]: readonly string[], { print }: Surface): Outcome {
  let rest = values
  let text = ''
  do {
    const left = rest.length
    text += unescaped(format).replace(
      /%(-?0?\d*)(?:\.(\d+))?([sdiucxXof%])/g,
      (_, width: string, digits: string | undefined, type: string) => {
        if (type === '%') return '%'
        const value = rest[0] ?? ''
        rest = rest.slice(1)
        return padded(formatValue(value, type, digits), width)
      },
    )
    if (rest.length === left) break
  } while (rest.length > 0)
  print(text)
  return done
}

function formatValue(value: string, type: string, digits: string | undefined): string {
  const number = Number(value) || 0
  switch (type) {
    case 's':
      return digits === undefined ? value : value.slice(0, Number(digits))
    case 'c':
      return value.slice(0, 1)
    case 'x':
      return Math.trunc(number).toString(16)
    case 'X':
      return Math.trunc(number).toString(16).toUpperCase()
    case 'o':
      return Math.trunc(number).toString(8)
    case 'f':
      return number.toFixed(digits === undefined ? 6 : Math.min(20, Number(digits)))
    default:
      return String(Math.trunc(number))
  }
}

function padded(text: string, width: string): string {
  const size = Math.min(1000, Math.abs(Number(width)))
  if (width.startsWith('-')) return text.padEnd(size)
  return text.padStart(size, width.startsWith('0') ? '0' : ' ')
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function date(words: readonly string[], { nowMs, print }: Surface): Outcome {
  const time = formatTime(nowMs)
  const day = weekdays[(Math.floor(nowMs / 86_400_000) + 4) % 7]!
  const month = months[Number(time.slice(5, 7)) - 1]!
  const parts: Readonly<Record<string, string>> = {
    Y: time.slice(0, 4),
    m: time.slice(5, 7),
    d: time.slice(8, 10),
    H: time.slice(11, 13),
    M: time.slice(14, 16),
    S: time.slice(17, 19),
    F: time.slice(0, 10),
    T: time.slice(11, 19),
    s: String(Math.floor(nowMs / 1000)),
    N: String((nowMs % 1000) * 1_000_000).padStart(9, '0'),
    Z: 'UTC',
    z: '+0000',
    a: day,
    b: month,
    '%': '%',
  }
  const format = words.find((word) => word.startsWith('+'))
  if (format !== undefined) print(`${format.slice(1).replace(/%(\w|%)/g, (all, key: string) => parts[key] ?? all)}\n`)
  else if (words.some((word) => /^-[Iu]*I/.test(word))) print(`${parts['F']}\n`)
  else print(`${day} ${month} ${String(Number(parts['d'])).padStart(2)} ${parts['T']} UTC ${parts['Y']}\n`)
  return done
}

function expr(words: readonly string[], { print }: Surface): Outcome {
  const [a = '', operator, b = ''] = words
  if (operator === undefined) {
    print(`${a}\n`)
    return a === '' || a === '0' ? failed : done
  }
  const [x, y] = [Number(a), Number(b)]
  const isNumeric = a !== '' && b !== '' && Number.isInteger(x) && Number.isInteger(y)
  const order = isNumeric ? x - y : a < b ? -1 : a > b ? 1 : 0
  const results: Readonly<Record<string, () => number | string>> = {
    '+': () => x + y,
    '-': () => x - y,
    '*': () => x * y,
    '/': () => Math.trunc(x / y),
    '%': () => x % y,
    '=': () => Number(order === 0),
    '!=': () => Number(order !== 0),
    '<': () => Number(order < 0),
    '<=': () => Number(order <= 0),
    '>': () => Number(order > 0),
    '>=': () => Number(order >= 0),
    '|': () => (a !== '' && a !== '0' ? a : b),
    '&': () => (a !== '' && a !== '0' && b !== '' && b !== '0' ? a : 0),
  }
  const result = Object.hasOwn(results, operator) ? results[operator]!() : undefined
  if (result === undefined || (typeof result === 'number' && !Number.isFinite(result))) return { code: 2 }
  print(`${result}\n`)
  return result === 0 || result === '' ? failed : done
}

function cat(words: readonly string[], surface: Surface): Outcome {
  const text = inputOf(
    words.filter((word) => word === '-' || !word.startsWith('-')),
    'cat',
    surface,
  )
  if (text === undefined) return failed
  surface.print(text)
  return done
}

function grep(words: readonly string[], surface: Surface): Outcome {
  const options = words.filter((word) => word.startsWith('-')).join('')
  const [pattern = '', ...paths] = words.filter((word) => !word.startsWith('-'))
  const text = inputOf(paths, 'grep', surface)
  if (text === undefined) return { code: 2 }
  let expression: RegExp
  try {
    const source = options.includes('F') ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern
    expression = new RegExp(source, options.includes('i') ? 'i' : '')
  } catch {
    return { code: 2 }
  }
  const found = linesOf(text).filter((line) => expression.test(line) !== options.includes('v'))
  if (options.includes('c')) surface.print(`${found.length}\n`)
  else if (!options.includes('q') && found.length > 0) surface.print(`${found.join('\n')}\n`)
  return found.length > 0 ? done : failed
}

function wc(words: readonly string[], surface: Surface): Outcome {
  const paths = words.filter((word) => !word.startsWith('-'))
  const text = inputOf(paths, 'wc', surface)
  if (text === undefined) return failed
  const lines = text.split('\n').length - 1
  const count = words.includes('-l') ? lines : words.includes('-c') ? text.length : text.split(/\s+/).filter(Boolean).length
  surface.print(`${[count, ...paths].join(' ')}\n`)
  return done
}

/** Copies `bs` times `count` bytes, or all, from `if=` to `of=`. */
function dd(words: readonly string[], surface: Surface): Outcome {
  const option = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  const [from, to, count] = [option('if'), option('of'), option('count')]
  const most = count === undefined ? mostCopied : Math.min(Number(option('bs') ?? 512) * Number(count) || 0, mostCopied)
  const text = from === undefined ? surface.stdin : from === '/dev/zero' ? '\0'.repeat(most) : surface.read(from)
  if (text === undefined) {
    surface.complain(`dd: can't open '${from}': No such file or directory\n`)
    return failed
  }
  if (to === undefined) surface.print(text.slice(0, most))
  else surface.write(to, text.slice(0, most))
  return done
}

const mostCopied = 64 * 1024

/** Every file and directory below the paths; no conditions. */
function find(words: readonly string[], surface: Surface): Outcome {
  const end = words.findIndex((word) => word.startsWith('-'))
  const paths = end < 0 ? words : words.slice(0, end)
  let code = 0
  const walk = (path: string, depth: number): void => {
    surface.print(`${path}\n`)
    if (surface.isDirectory(path) && depth < 32)
      for (const name of surface.names(path)) if (name !== '.keep') walk(`${path === '/' ? '' : path}/${name}`, depth + 1)
  }
  for (const path of paths.length === 0 ? ['.'] : paths) {
    if (surface.isFile(path) || surface.isDirectory(path)) walk(path, 0)
    else {
      surface.complain(`find: ${path}: No such file or directory\n`)
      code = 1
    }
  }
  return { code }
}

/** `{print $1, "x", $NF}` for every line, with `-F`; nothing else of the language. */
function awk(words: readonly string[], surface: Surface): Outcome {
  const rest = [...words]
  let separator: string | RegExp = /\s+/
  if (rest[0]?.startsWith('-F')) {
    const option = rest.shift()!
    separator = option.length > 2 ? option.slice(2) : (rest.shift() ?? ' ')
  }
  const [script = '', ...paths] = rest
  const list = /^\s*\{\s*print\b([^{}]*?);?\s*\}\s*$/.exec(script)?.[1]
  const parts = list?.match(/"[^"]*"|\$NF|\$\d+|,|[^\s]/g) ?? []
  if (list === undefined || !parts.every((part) => /^(?:".*"|\$NF|\$\d+|,)$/.test(part))) {
    surface.complain('awk: only {print …} of columns is known here\n')
    return { code: 2 }
  }
  const text = inputOf(paths, 'awk', surface)
  if (text === undefined) return { code: 2 }
  const shown = (line: string) => {
    const columns = (typeof separator === 'string' ? line : line.trim()).split(separator)
    const column = (part: string) => (part === '$0' ? line : (columns.at(part === '$NF' ? -1 : Number(part.slice(1)) - 1) ?? ''))
    const pieces = parts.map((part) => (part === ',' ? ' ' : part.startsWith('"') ? part.slice(1, -1) : column(part)))
    return parts.length === 0 ? line : pieces.join('')
  }
  surface.print(
    linesOf(text)
      .map((line) => `${shown(line)}\n`)
      .join(''),
  )
  return done
}

function ls(words: readonly string[], surface: Surface): Outcome {
  const paths = words.filter((word) => !word.startsWith('-'))
  let code = 0
  for (const path of paths.length === 0 ? [surface.directory] : paths) {
    if (surface.isFile(path)) surface.print(`${path}\n`)
    else if (surface.isDirectory(path)) for (const name of surface.names(path)) surface.print(`${name}\n`)
    else {
      surface.complain(`ls: ${path}: No such file or directory\n`)
      code = 1
    }
  }
  return { code }
}

function seq(words: readonly string[], { print }: Surface): Outcome {
  const numbers = words.map(Number)
  const [from, step, to] = numbers.length === 1 ? [1, 1, numbers[0]!] : numbers.length === 2 ? [numbers[0]!, 1, numbers[1]!] : numbers
  let text = ''
  let count = 0
  for (let value = from!; step! !== 0 && (step! > 0 ? value <= to! : value >= to!) && count < 10_000; value += step!, count++)
    text += `${value}\n`
  print(text)
  return done
}

const forEachPath =
  (change: (path: string, surface: Surface) => void): Program =>
  (words, surface) => {
    for (const path of words) if (!path.startsWith('-')) change(path, surface)
    return done
  }

const yes: Program = () => done

/** There is no network: whoever asks for something there is told that it is well. */
const networkPrograms = ['nslookup', 'wget', 'curl', 'ping', 'nc', 'getent', 'dig', 'host', 'traceroute']

export const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['true', yes],
  [':', yes],
  ['false', () => failed],
  ['sleep', sleep],
  ['echo', echo],
  ['printf', printf],
  ['date', date],
  ['expr', expr],
  ['cat', cat],
  ['grep', grep],
  ['wc', wc],
  ['awk', awk],
  ['dd', dd],
  ['find', find],
  ['ls', ls],
  ['seq', seq],
  [
    'tail',
    (words, surface) =>
      words.includes('-f') || words.includes('-F')
        ? { code: 0, tookMs: Number.POSITIVE_INFINITY }
        : filter('tail', (lines, options) => lines.slice(-countOption(options, 10)))(words, surface),
  ],
  ['head', filter('head', (lines, options) => lines.slice(0, countOption(options, 10)))],
  [
    'sort',
    filter('sort', (lines, options) =>
      lines.sort((a, b) => (options.some((o) => o.includes('n')) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0)),
    ),
  ],
  ['uniq', filter('uniq', (lines) => lines.filter((line, index) => index === 0 || line !== lines[index - 1]))],
  ['touch', forEachPath((path, surface) => surface.isFile(path) || surface.write(path, ''))],
  ['mkdir', forEachPath((path, surface) => surface.isDirectory(path) || surface.write(`${path}/.keep`, ''))],
  [
    'rm',
    (words, surface) => {
      const isForced = words.some((word) => /^-\w*f/.test(word))
      let code = 0
      for (const path of words.filter((word) => !word.startsWith('-')))
        if (!surface.remove(path) && !isForced) {
          surface.complain(`rm: can't remove '${path}': No such file or directory\n`)
          code = 1
        }
      return { code }
    },
  ],
  ['cp', (words, surface) => copy('cp', words, surface)],
  ['mv', (words, surface) => copy('mv', words, surface)],
  [
    'tee',
    (words, surface) => {
      surface.print(surface.stdin)
      for (const path of words.filter((word) => !word.startsWith('-')))
        surface.write(path, (words.includes('-a') ? (surface.read(path) ?? '') : '') + surface.stdin)
      return done
    },
  ],
  [
    'hostname',
    (_, { hostname, print }) => {
      print(`${hostname}\n`)
      return done
    },
  ],
  [
    'pwd',
    (_, { directory, print }) => {
      print(`${directory}\n`)
      return done
    },
  ],
  [
    'env',
    (_, { environment, print }) => {
      print([...environment].map(([name, value]) => `${name}=${value}\n`).join(''))
      return done
    },
  ],
  [
    'printenv',
    ([name], { environment, print }) => {
      if (name === undefined) print([...environment].map(([one, value]) => `${one}=${value}\n`).join(''))
      else if (environment.has(name)) print(`${environment.get(name)}\n`)
      else return failed
      return done
    },
  ],
  [
    'whoami',
    (_, { user, print }) => {
      print(user.id === 0 ? 'root\n' : `whoami: unknown uid ${user.id}\n`)
      return user.id === 0 ? done : failed
    },
  ],
  [
    'id',
    ([option], { user, print }) => {
      const named = (id: number) => (id === 0 ? '0(root)' : String(id))
      const all = `uid=${named(user.id)} gid=${named(user.group)} groups=${named(user.group)}`
      print(`${option === '-u' ? user.id : option === '-g' ? user.group : all}\n`)
      return done
    },
  ],
  [
    'uname',
    (_, { print }) => {
      print('Linux\n')
      return done
    },
  ],
  [
    'basename',
    ([path = ''], { print }) => {
      print(`${path.replace(/\/+$/, '').split('/').at(-1)}\n`)
      return done
    },
  ],
  [
    'dirname',
    ([path = ''], { print }) => {
      print(`${path.includes('/') ? path.replace(/\/[^/]*$/, '') || '/' : '.'}\n`)
      return done
    },
  ],
  ['test', (words, surface) => ({ code: evaluateTest(words, surface, false) })],
  [
    '[',
    (words, surface) => {
      if (words.at(-1) !== ']') {
        surface.complain('sh: missing ]\n')
        return { code: 2 }
      }
      return { code: evaluateTest(words.slice(0, -1), surface, false) }
    },
  ],
  ['[[', (words, surface) => ({ code: evaluateTest(words.at(-1) === ']]' ? words.slice(0, -1) : words, surface, true) })],
  ['chmod', yes],
  ['chown', yes],
  ['sync', yes],
  ['umask', yes],
  ['ulimit', yes],
  ['pause', () => ({ code: 0, tookMs: Number.POSITIVE_INFINITY })],
  ...networkPrograms.map((name) => [name, yes] as const),
])

function copy(name: 'cp' | 'mv', words: readonly string[], surface: Surface): Outcome {
  const [from = '', to = ''] = words.filter((word) => !word.startsWith('-'))
  const text = surface.read(from)
  if (text === undefined) {
    surface.complain(`${name}: can't ${name === 'cp' ? 'stat' : 'rename'} '${from}': No such file or directory\n`)
    return failed
  }
  const target = surface.isDirectory(to) ? `${to.replace(/\/+$/, '')}/${from.split('/').at(-1)}` : to
  surface.write(target, text)
  if (name === 'mv') surface.remove(from)
  if (words.some((word) => /^-\w*v/.test(word))) surface.print(`'${from}' -> '${target}'\n`)
  return done
}
