# A formula for a tap of your own: https://docs.brew.sh/How-to-Create-and-Maintain-a-Tap. The release checklist, docs/releasing.md,
# says where url and sha256 come from.
class Rollcall < Formula
  desc "Kubernetes workload control plane in one process that counts every pod"
  homepage "https://github.com/OWNER/rollcall"
  url "https://github.com/OWNER/rollcall/releases/download/v0.1.0/rollcall-0.1.0.tgz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    generate_completions_from_executable(bin/"rollcall", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/rollcall version")
    system bin/"rollcall", "up", "--detach", "--memory", "--port", "0"
    assert_match "running", shell_output("#{bin}/rollcall status")
    system bin/"rollcall", "down"
  end
end
