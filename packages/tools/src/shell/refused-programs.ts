/** Programs a coding agent has no business with, by why. */
const BY_REASON: readonly (readonly [string, string])[] = [
  [
    'sudo su doas pkexec runuser setpriv chroot nsenter unshare capsh newgrp sg sudoedit visudo gosu su-exec machinectl',
    'it changes who a command runs as. Work with the permissions there are.',
  ],
  [
    'shutdown reboot halt poweroff init telinit systemctl service loginctl rc-service launchctl kexec',
    'it controls the machine.',
  ],
  [
    'mke2fs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs mkswap swapon swapoff losetup cryptsetup mount umount blkdiscard ' +
      'hdparm badblocks debugfs lvm pvcreate vgremove zpool zfs mdadm diskutil',
    'it works on disks.',
  ],
  ['insmod modprobe rmmod depmod sysctl dmesg setenforce bpftool', 'it works on the kernel.'],
  [
    'useradd userdel usermod groupadd groupmod passwd chpasswd chage vipw adduser deluser chsh',
    'it changes the users of the machine.',
  ],
  [
    'iptables ip6tables nft ufw firewall-cmd ip ifconfig route tcpdump tshark nmap',
    'it works on the network of the machine.',
  ],
  [
    'curl wget nc ncat netcat socat telnet ssh scp sftp rsync ftp tftp lftp aria2c http https xh axel rclone ssh-copy-id sshfs ' +
      'openssl mail sendmail mutt ping traceroute nslookup dig host',
    'it sends data over the network. Use a tool that fetches, if there is one.',
  ],
  ['kill killall pkill skill snice fuser xkill', 'it ends processes. A command ends with all it started by itself.'],
  [
    'nohup setsid disown daemonize screen tmux at batch crontab systemd-run start-stop-daemon dtach abduco',
    'what it starts would outlive the call. Run commands to their end.',
  ],
  [
    'docker podman nerdctl lxc lxc-attach runc ctr crictl kubectl virsh qemu-system-x86_64',
    'it reaches out of the workspace.',
  ],
  ['gdb lldb strace ltrace ptrace perf bpftrace gcore', 'it looks into processes.'],
  ['xmrig minerd cpuminer cgminer bfgminer ethminer xmr-stak t-rex nbminer', 'it mines.'],
  [
    'vi vim nvim view ex ed rvim vimdiff emacs nano pico joe less more most man info top htop watch mc script expect dialog',
    'it needs a terminal or starts other programs. Use the tools for files.',
  ],
  ['xargs parallel', 'its arguments cannot be seen beforehand. Give them directly.'],
  ['shred', 'it destroys files for good. Use rm.'],
]

const REASONS: ReadonlyMap<string, string> = new Map(
  BY_REASON.flatMap(([names, reason]) => names.split(' ').map(name => [name, reason] as const)),
)

/** Why a program may not be run by a coding agent; undefined when it may. */
export function refusalOfProgram(name: string): string | undefined {
  if (/^mkfs(?:\.|$)/.test(name)) return 'it works on disks.'
  return REASONS.get(name)
}
