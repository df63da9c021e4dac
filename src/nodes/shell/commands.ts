// The programs of a container besides its shell.
import { readSecondsOrDurationMs } from '../../base/duration.ts'
import { copy } from './copy-files.ts'
import { dd, find, forEachPath, hexdump, ls, remove } from './file-programs.ts'
import { mountTest, mountTestTurn } from './mount-test.ts'
import { printf } from './printf.ts'
import { done, failed, operandsOf, type Program, ProgramFailure, printing } from './program-context.ts'
import { tar } from './tar.ts'
import { evaluateTest } from './test-expression.ts'
import { awk, cat, countOption, date, echo, expr, filter, grep, seq, wc } from './text-programs.ts'

const yes: Program = () => done
const runsForEver = { code: 0, tookMs: Number.POSITIVE_INFINITY }

/** There is no network: network programs report success. */
const networkPrograms = ['nslookup', 'wget', 'curl', 'ping', 'nc', 'getent', 'dig', 'host', 'traceroute']
/** What these would change is not simulated. */
const withoutEffect = ['true', ':', 'chmod', 'chown', 'sync', 'umask', 'ulimit', ...networkPrograms]

const tail = filter((lines, options) => lines.slice(-countOption(options)))
const isNumeric = (options: readonly string[]) => options.some((option) => option.includes('n'))
const printEnvironment = printing((_, { environment }) => [...environment].map(([name, value]) => `${name}=${value}\n`).join(''))

const table: Readonly<Record<string, Program>> = {
  false: () => failed,
  sleep(words) {
    let tookMs = 0
    for (const word of words) {
      const ms = word === 'infinity' || word === 'inf' ? Number.POSITIVE_INFINITY : readSecondsOrDurationMs(word)
      if (ms === undefined) throw new ProgramFailure(`invalid number '${word}'`)
      tookMs += ms
    }
    return { code: 0, tookMs }
  },
  echo,
  printf,
  date,
  expr,
  cat,
  grep,
  wc,
  awk,
  dd,
  find,
  hexdump,
  ls,
  mounttest: mountTest,
  'mounttest-turn': mountTestTurn,
  seq,
  tar,
  tail: (words, context) => (words.includes('-f') || words.includes('-F') ? runsForEver : tail(words, context)),
  head: filter((lines, options) => lines.slice(0, countOption(options))),
  sort: filter((lines, options) => lines.sort((a, b) => (isNumeric(options) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0))),
  uniq: filter((lines) => lines.filter((line, index) => index === 0 || line !== lines[index - 1])),
  touch: forEachPath((path, context) => context.isFile(path) || context.write(path, '')),
  mkdir: forEachPath((path, context) => context.isDirectory(path) || context.write(`${path}/.keep`, '')),
  rm: remove,
  cp: (words, context) => copy('cp', words, context),
  mv: (words, context) => copy('mv', words, context),
  tee(words, context) {
    context.print(context.stdin)
    for (const path of operandsOf(words)) context.write(path, (words.includes('-a') ? (context.read(path) ?? '') : '') + context.stdin)
    return done
  },
  hostname: printing((_, { hostname }) => `${hostname}\n`),
  pwd: printing((_, { directory }) => `${directory}\n`),
  env: printEnvironment,
  printenv([name], context) {
    if (name === undefined) return printEnvironment([], context)
    if (!context.environment.has(name)) return failed
    context.print(`${context.environment.get(name)}\n`)
    return done
  },
  whoami(_, { user, print }) {
    print(user.id === 0 ? 'root\n' : `whoami: unknown uid ${user.id}\n`)
    return user.id === 0 ? done : failed
  },
  id: printing(([option], { user }) => {
    const named = (id: number) => (id === 0 ? '0(root)' : String(id))
    const all = `uid=${named(user.id)} gid=${named(user.group)} groups=${named(user.group)}`
    return `${option === '-u' ? user.id : option === '-g' ? user.group : all}\n`
  }),
  uname: printing(() => 'Linux\n'),
  basename: printing(([path = '']) => `${path.split('/').findLast((part) => part !== '') ?? '/'}\n`),
  dirname: printing(([path = '']) => `${path.includes('/') ? path.replace(/\/[^/]*$/, '') || '/' : '.'}\n`),
  test: (words, context) => ({ code: evaluateTest(words, context, false, context.work) }),
  '['(words, context) {
    if (words.at(-1) === ']') return { code: evaluateTest(words.slice(0, -1), context, false, context.work) }
    context.printError('sh: missing ]\n')
    return { code: 2 }
  },
  '[[': (words, context) => ({ code: evaluateTest(words.at(-1) === ']]' ? words.slice(0, -1) : words, context, true, context.work) }),
  pause: () => runsForEver,
}

export const programs: ReadonlyMap<string, Program> = new Map([
  ...Object.entries(table),
  ...withoutEffect.map((name) => [name, yes] as const),
])
