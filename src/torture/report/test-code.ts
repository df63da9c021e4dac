// A replay as a test in the language of the controller: the test runs the replay, and fails as long as the finding is there.
import { describePlan } from '../plan/fault-plan.ts'
import type { Replay } from './replay-file.ts'

type TestLanguage = 'go' | 'python' | 'vitest'

export function testCode(language: TestLanguage, path: string, { plan, finding }: Replay): string {
  const comment = [`Fault: ${describePlan(plan)}.`, `Finding: ${finding.split('\n', 1)[0]!}.`]
  const name = plan.faults.map(({ type }) => type).join('-')
  const file = JSON.stringify(path)
  if (language === 'go') return goTest(comment, name, file)
  if (language === 'python') return pythonTest(comment, name, file)
  return vitestTest(comment, name, file)
}

const words = (name: string) => name.split('-').map((word) => word[0]!.toUpperCase() + word.slice(1))

const goTest = (comment: readonly string[], name: string, file: string) => `package controllers_test

import (
	"os/exec"
	"testing"
)

${comment.map((line) => `// ${line}`).join('\n')}
func Test${words(name).join('')}(t *testing.T) {
	output, err := exec.Command("rollcall", "torture", "--replay", ${file}, "--repeat", "3").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\\n%s", err, output)
	}
}
`

const pythonTest = (comment: readonly string[], name: string, file: string) => `import subprocess


def test_${name.replaceAll('-', '_')}():
${comment.map((line) => `    # ${line}`).join('\n')}
    command = ["rollcall", "torture", "--replay", ${file}, "--repeat", "3"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
`

const vitestTest = (comment: readonly string[], name: string, file: string) => `import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

${comment.map((line) => `// ${line}`).join('\n')}
test(${JSON.stringify(name.replaceAll('-', ' '))}, { timeout: 120_000 }, () => {
  const { status, stdout, stderr } = spawnSync('rollcall', ['torture', '--replay', ${file}, '--repeat', '3'], { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
})
`
