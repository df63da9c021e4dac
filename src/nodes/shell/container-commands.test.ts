import { describe, expect, it } from 'vitest'
import { empty, run } from './testing/run-command.ts'

describe('directories', () => {
  it.each([
    ['an empty one has no files', 'mkdir -p /d/e; ls -A /d/e', 0, ''],
    ['they are listed', 'mkdir /d; touch /d/a; ls /d', 0, 'a\n'],
    ['rm keeps them', 'mkdir /d; rm /d', 1, "rm: can't remove '/d': Is a directory\n"],
    ['rm -r removes them', 'mkdir -p /d/e; touch /d/e/f; rm -r /d; [ -d /d ] || echo gone', 0, 'gone\n'],
    [
      'patterns',
      'mkdir /d; touch /d/a.x /d/b.x /d/.c; echo /d/* /d/?.x /*/a.x "/d/*" /none/*; cd /d; echo *',
      0,
      '/d/a.x /d/b.x /d/a.x /d/b.x /d/a.x /d/* /none/*\na.x b.x\n',
    ],
    [
      'loops over files',
      'mkdir /d; for f in /d/*; do echo $f; done; touch /d/a /d/b; for f in /d/*; do echo $f; done; rm -rf /d/*; ls /d',
      0,
      '/d/*\n/d/a\n/d/b\n',
    ],
    ['find -type f', 'mkdir /d; touch /d/a; find /d -type f; find /d -type d', 0, '/d/a\n/d\n'],
    [
      'tar archives everything from another directory',
      'mkdir -p /d/e; echo x > /d/e/f; cd /d; tar cf /t /; tar tf /t | grep f',
      0,
      'd/e/f\n',
    ],
    ['tar archives a name that ends with dots', 'mkdir -p /d/a..; echo x > /d/a../f; cd /d; tar cf /t a..; tar tf /t', 0, 'a../\na../f\n'],
    ['tar leaves out what leads out of them', 'echo x > /d/f; tar cf /t /d/../d/f; tar tf /t', 0, 'd/f\n'],
  ])('%s', (_, script, code, text) => {
    expect(run(script)).toMatchObject({ code, text })
  })
})

describe('standard input', () => {
  it.each([
    ['a program', ['cat'], 'one\ntwo\n', 'one\ntwo\n'],
    ['a script', ['sh', '-c', 'read first; echo $first; cat'], 'one\ntwo\n', 'one\ntwo\n'],
    ['a shell, as its script', ['sh'], 'x=1\necho $x\n', '1\n'],
    ['a shell without any', ['sh'], '', ''],
  ])('is read by %s', (_, command, input, text) => {
    expect(run(command, empty, { input })).toMatchObject({ code: 0, text })
  })
})
