// Valid scripts that exceed a limit. A sync does a bounded amount of work, and nothing is thrown.
import { describe, expect, it } from 'vitest'
import { WorkBudget } from '../work-budget.ts'
import { type Files, noFiles } from './files.ts'
import { runMachine, type ScriptSetup, startMachine } from './machine.ts'

const setup: ScriptSetup = {
  nowMs: 0,
  environment: new Map(),
  mounts: [],
  own: 'own:c:',
  directory: '/',
  hostname: 'web-0',
  seed: 1,
  onUnknown: 'fail',
}

/** The budget of one sync, plus one step that cannot be interrupted. A pattern is charged before it is matched. */
const maxUnits = 500_000

/** Runs the script whenever it is due, at most twenty times. */
function play(script: string) {
  let machine = startMachine(['sh', '-c', script], setup)!
  let files: Files = { pod: noFiles, host: noFiles }
  let text = ''
  const units: number[] = []
  const times: number[] = []
  for (let count = 0; count < 20 && machine.exit === undefined && machine.nextMs !== undefined; count++) {
    const work = new WorkBudget()
    times.push(machine.nextMs)
    const ran = runMachine(machine, files, machine.nextMs, work)
    ;({ machine, files } = ran)
    text += ran.output.map((output) => output.text).join('')
    units.push(work.spent)
  }
  return { code: machine.exit?.code, text, units, times, machine, files }
}

const many = (text: string, count: number) => text.repeat(count)
const a60k = many('a', 60_000)
const tooMuch = 'sh: killed: exceeded the work limit of a simulated container\n'

describe('a script that exceeds a limit', () => {
  it.each<[name: string, script: string, code: number, text: string]>([
    ['deep arithmetic', `echo $((${many('(', 9000)}1${many(')', 9000)}))`, 2, 'sh: arithmetic expression nested too deeply\n'],
    ['deep signs', `echo $((${many('!', 9000)}1))`, 2, 'sh: arithmetic expression nested too deeply\n'],
    ['deep if', `eval "${many('if true; then ', 150)}:${many('; fi', 150)}"`, 2, 'sh: syntax error: nested too deeply\n'],
    [
      'an eval of 4,000 if',
      `eval "${many('if true; then ', 4000)}:${many('; fi', 4000)}"`,
      2,
      'sh: script too long: more than 20000 words\n',
    ],
    ['deep substitutions', `${many('$(', 3000)}echo${many(')', 3000)}`, 2, 'sh: syntax error: nested too deeply\n'],
    ['deep defaults', `echo ${many('${a:-', 3000)}x${many('}', 3000)}`, 2, 'sh: syntax error: nested too deeply\n'],
    ['deep negation', `${many('! ', 9000)} true`, 2, 'sh: syntax error: nested too deeply\n'],
    ['a regular expression that backtracks', `echo ${many('a', 50_000)}b | grep '(a+)+$'; echo $?`, 0, '1\n'],
    ['the same in a test', `[[ ${many('a', 50_000)}b =~ "(a+)+$" ]]; echo $?`, 0, '1\n'],
    ['a large regular expression', `echo ${a60k} | grep '[a-z]{500}[b-y]{500}'; echo on`, 137, tooMuch],
    ['a regular expression that cannot be', "echo a | grep '('; echo $?", 0, "grep: bad regex '(': missing closing ): `(`\n2\n"],
    ['many open brackets', `echo ${many('[', 60_000)} | wc -c`, 0, '60001\n'],
    ['a case with many stars', `case ${many('a', 5000)} in ${many('*a', 200)}*b) echo yes;; *) echo no;; esac`, 0, 'no\n'],
    ['a case that compares too much', `case ${a60k} in *${many('a', 30_000)}b) :;; esac`, 137, tooMuch],
    ['a prefix with many stars', `a=${a60k}; echo \${a##${many('*a', 200)}*b}`, 137, tooMuch],
    ['an endless substitution', 'a=$(while :; do echo x; done); echo $a', 137, tooMuch],
    ['substitutions in themselves', 'f() { echo $(f); }; f', 0, 'sh: too many nested commands\n\n'],
    ['arguments that double', 'set -- a; while :; do set -- "$@" "$@" || exit 1; done', 137, tooMuch],
    ['subshells in themselves', 'a=\'sh -c "$a"; :\'; sh -c "$a"', 0, 'sh: subshell: too many nested calls\n'],
    ['too many jobs', 'while :; do sleep 1h & done', 2, "sh: can't fork: Resource temporarily unavailable\n"],
    ['jobs of jobs', 'f() { f & f & }; f; wait; echo on', 0, 'on\n'],
    ['a file many times', `echo ${a60k} > f; cat ${many('f ', 10_000)} | wc -c`, 137, tooMuch],
    ['a printf of wide columns', 'printf "%1000s" $(seq 5000)', 137, tooMuch],
    ['a printf of a long format', `printf '${many('%%', 20_000)}%s' $(seq 10000)`, 137, tooMuch],
    ['a copy of deep directories', `mkdir -p ${many('a/', 9000)}; cp -r a b`, 137, tooMuch],
    ['a move of deep directories', `mkdir -p ${many('a/', 9000)}; mv a b`, 137, tooMuch],
    ['a list of deep directories', `mkdir -p ${many('a/', 9000)}; ls -R a > /dev/null`, 137, tooMuch],
    ['a copy of many directories', `for i in $(seq 400); do mkdir -p d/$i/a; done; cp -r d e`, 137, tooMuch],
    ['a replacement that is too long', `a=${a60k}; echo \${a//a/${many('b', 1000)}}`, 2, 'sh: Argument list too long\n'],
    ['too many long variables', `i=0; while :; do i=$((i + 1)); eval "v$i=${many('x', 20_000)}"; done`, 2, 'sh: v27: out of memory\n'],
    [
      'too many long functions',
      `i=0; while :; do i=$((i + 1)); eval "f$i() { ${many('echo a;', 900)} }"; done`,
      2,
      'sh: f8: out of memory\n',
    ],
    ['a script that is too long', many('a;', 60_000), 2, 'sh: script too long: more than 20000 words\n'],
    ['a long test', `[ ${many('a -a ', 9000)} a ]; echo $?`, 0, '0\n'],
    ['a limit of its own', "timeout 10 sh -c 'while :; do :; done'; echo $?", 0, '124\n'],
  ])('ends: %s', (_, script, code, text) => {
    const played = play(script)
    expect({ code: played.code, text: played.text.slice(-200) }).toEqual({ code, text })
    expect(Math.max(...played.units)).toBeLessThan(maxUnits)
  })

  it.each<[name: string, script: string]>([
    ['a loop', 'while :; do :; done'],
    ['a loop over large texts', `a=${a60k}; while :; do b=$a; case $b in y*) :;; esac; done`],
    ['a loop that prints', `while :; do echo ${many('hello ', 1000)}; done`],
    ['a loop that writes files', `i=0; while :; do i=$((i + 1)); echo ${many('x', 1000)} > f$i; done`],
    ['a loop that appends', `while :; do echo ${many('x', 5000)} >> f; done`],
    ['a loop that sorts', 'while :; do seq 10000 | sort -n | tail -1; done'],
    ['loops beside each other', `${many('while :; do :; done & ', 90)} wait`],
    ['a string that doubles', 'a=x; while :; do a=$a$a; done'],
    ['a script that evaluates itself', 'a=\'eval "$a"; :\'; eval "$a"'],
    ['a trap that traps itself', "trap 'kill -TERM $$' TERM; kill -TERM $$; sleep 1"],
  ])('goes on in parts: %s', (_, script) => {
    const { code, units, times, files } = play(script)
    expect(code).toBeUndefined()
    expect(units).toHaveLength(20)
    expect(Math.max(...units)).toBeLessThan(120_000)
    // It never runs twice at one time, and pauses in between.
    expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(19_000)
    expect([...files.pod.values()].join('').length).toBeLessThanOrEqual(1_100_000)
  })

  it('uses the same work in every run', () => {
    const script = `i=0; while :; do i=$((i + 1)); echo ${a60k} | grep -c "a$i"; done`
    expect(play(script).units).toEqual(play(script).units)
  })
})
