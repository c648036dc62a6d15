#!/usr/bin/perl
# Runs one program that reaches only the parts of the system that the options allow, and exits as the program exits:
#
#   perl confine.pl --arch=x64 [--unshare=user,mount,pid,net,ipc] [--view] [--landlock] [--seccomp] [--uid=N]
#                   [--read=PATH]... [--hide=FOLDER]... [--first=LIBRARIES] --write=FOLDER -- PROGRAM [ARGUMENT]...
#
# It is written in Perl because Node cannot make these system calls, the image has no compiler, and perl-base is part of
# every Debian. It loads no module, so it starts in two milliseconds.
#
# If the system refuses what an option asks for, it exits with 125 and does not start the program.
use strict;
use warnings;

# Numbers on x86-64 and arm64 of the system calls that are used or denied below.
my %numbers = (
  # Used here.
  prlimit64 => [302, 261], prctl => [157, 167], capset => [126, 91], seccomp => [317, 277],
  setgroups => [116, 159], setresuid => [117, 147], setresgid => [119, 149],
  landlock_create_ruleset => [444, 444], landlock_add_rule => [445, 445], landlock_restrict_self => [446, 446],
  clone => [56, 220], clone3 => [435, 435], tgkill => [234, 131],
  # Used here, and denied to the program.
  unshare => [272, 97], mount => [165, 40], umount2 => [166, 39], pivot_root => [155, 41], mount_setattr => [442, 442],
  # Denied: other machines, other processes, ...
  socket => [41, 198], ptrace => [101, 117], process_vm_readv => [310, 270], process_vm_writev => [311, 271],
  kcmp => [312, 272], pidfd_open => [434, 434], pidfd_getfd => [438, 438], pidfd_send_signal => [424, 424],
  process_madvise => [440, 440], setsid => [112, 157], setpgid => [109, 154],
  # ... other views, links out of the job folder, pipes and devices in it, ...
  chroot => [161, 51], setns => [308, 268], open_tree => [428, 428], move_mount => [429, 429], fsopen => [430, 430],
  fsconfig => [431, 431], fsmount => [432, 432], fspick => [433, 433], name_to_handle_at => [303, 264],
  open_by_handle_at => [304, 265], symlink => [88], symlinkat => [266, 36], link => [86], linkat => [265, 37],
  mknod => [133], mknodat => [259, 33],
  # ... and the wide doors of the kernel that no codec needs.
  bpf => [321, 280], perf_event_open => [298, 241], userfaultfd => [323, 282], io_uring_setup => [425, 425],
  io_uring_enter => [426, 426], io_uring_register => [427, 427], keyctl => [250, 219], add_key => [248, 217],
  request_key => [249, 218], init_module => [175, 105], finit_module => [313, 273], delete_module => [176, 106],
  kexec_load => [246, 104], kexec_file_load => [320, 294], reboot => [169, 142], swapon => [167, 224],
  swapoff => [168, 225], acct => [163, 89], quotactl => [179, 60], settimeofday => [164, 170],
  clock_settime => [227, 112], syslog => [103, 116],
  # Denied if the program can see other processes.
  kill => [62, 129], tkill => [200, 130], rt_sigqueueinfo => [129, 138], rt_tgsigqueueinfo => [297, 240],
);
my %isAllowed = map { $_ => 1 } qw(
  prlimit64 prctl capset seccomp setgroups setresuid setresgid clone clone3 tgkill
  landlock_create_ruleset landlock_add_rule landlock_restrict_self
);
my @signalCalls = qw(kill tkill rt_sigqueueinfo rt_tgsigqueueinfo);
my %audits = (x64 => 0xc000003e, arm64 => 0xc00000b7);
my %spaces = (user => 0x10000000, mount => 0x20000, pid => 0x20000000, net => 0x40000000, ipc => 0x08000000);
my $allSpaces = 0x7e020000;
my $devices = join ' ', map { "/dev/$_" } qw(null zero full random urandom);

my %asked = readOptions();
my $column = $asked{arch} eq 'arm64' ? 1 : 0;

# Nothing that the media worker started outlives it, however it ends.
dieWithParent();
enterSpaces();
my $isInit = $asked{spaces}{pid} ? waitAsInit() : 0;
buildView() if $asked{view};
chdir $asked{write} or refuse("chdir $asked{write}");
if ($isInit && (my $program = fork_())) { waitForChild($program, 0) }
dropRights();
restrictPaths() if $asked{landlock};
restrictCalls() if $asked{seccomp};
dieWithParent();
$SIG{$_} = 'DEFAULT' for qw(TERM INT HUP);
# Not sooner: Perl itself needs none of them.
$ENV{LD_PRELOAD} = $asked{first} if $asked{first};
{ no warnings 'exec'; exec { $ARGV[0] } @ARGV }
refuse("exec $ARGV[0]");

sub readOptions {
  my %found = (arch => '', read => [], hide => [], spaces => {}, uid => 0);
  while (@ARGV && (my $option = shift @ARGV) ne '--') {
    my ($name, $value) = $option =~ /^--(\w+)(?:=(.*))?$/s or refuse("option $option");
    if ($name eq 'read' || $name eq 'hide') { push @{ $found{$name} }, $value }
    elsif ($name eq 'unshare') { $found{spaces}{$_} = 1 for split /,/, $value }
    else { $found{$name} = $value // 1 }
  }
  refuse('no program') if !@ARGV;
  refuse('no folder') if !defined $found{write};
  refuse("architecture $found{arch}") if !$audits{ $found{arch} };
  return %found;
}

sub refuse {
  my ($what) = @_;
  print STDERR "confine: $what: $!\n";
  # Past whatever waits for this process as a child.
  exit 125;
}

# Makes a system call by its name; false if it failed.
sub call {
  my ($name, @arguments) = @_;
  my $number = $numbers{$name}[$column];
  return syscall($number, @arguments, (0) x (5 - @arguments)) >= 0;
}

sub require_ {
  my ($what, $succeeded) = @_;
  refuse($what) if !$succeeded;
}

sub dieWithParent { require_('death signal', call('prctl', 1, 9)) }

sub fork_ {
  my $child = fork;
  refuse('fork') if !defined $child;
  return $child;
}

sub enterSpaces {
  my @names = keys %{ $asked{spaces} } or return;
  my ($user, $group) = ($>, $) + 0);
  my $flags = 0;
  $flags |= $spaces{$_} // refuse("space $_") for @names;
  require_('unshare ' . join(',', sort @names), call('unshare', $flags));
  return if !$asked{spaces}{user};
  writeFile('/proc/self/setgroups', 'deny');
  writeFile('/proc/self/uid_map', "$user $user 1");
  writeFile('/proc/self/gid_map', "$group $group 1");
}

sub writeFile {
  my ($file, $text) = @_;
  open my $handle, '>', $file or refuse($file);
  syswrite $handle, $text or refuse($file);
  close $handle or refuse($file);
}

# The first process of a PID namespace ignores every signal that it does not handle, so the program runs as the second:
# signals to the process group reach it as usual. Returns in the child only.
sub waitAsInit {
  $SIG{$_} = 'IGNORE' for qw(TERM INT HUP);
  if (my $init = fork_()) { waitForChild($init, 1) }
  dieWithParent();
  return 1;
}

# Ends as the child ended. Only an exit code gets out of the namespace, so a signal becomes an exit code above 128.
sub waitForChild {
  my ($child, $isOutside) = @_;
  # The first process of a namespace is the parent of every orphan in it, and reaps them until the program ends.
  my $ended = 0;
  $ended = wait until $ended == $child || $ended == -1;
  my $last = $?;
  my $signal = $last & 127;
  exit 128 + $signal if $signal && !$isOutside;
  my $code = $last >> 8;
  endBySignal($signal || $code - 128) if $isOutside && ($signal || ($code > 128 && $code < 160));
  exit $code;
}

sub endBySignal {
  my ($signal) = @_;
  $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP);
  kill $signal, $$;
  exit 128 + $signal;
}

# Builds a root folder that holds only what the program may read and the one folder that it may write to.
sub buildView {
  # Every user must be able to enter these folders, whatever the umask of the media worker is.
  my $mask = umask 022;
  require_('private mounts', call('mount', 'none', '/', 0, 0x4000 | 0x40000, 0));
  require_('root', call('mount', 'tmpfs', '/tmp', 'tmpfs', 0x2 | 0x4, 'mode=0755,size=1m'));
  mkdir '/tmp/.old' or refuse('old root');
  require_('pivot', call('pivot_root', '/tmp', '/tmp/.old'));
  chdir '/' or refuse('root');
  show($_, 0x1 | 0x2 | 0x4) for @{ $asked{read} };
  show($_, 0) for split / /, $devices;
  -d $_ and require_("hide $_", call('mount', 'tmpfs', $_, 'tmpfs', 0x2 | 0x4, 'mode=0755,size=1m')) for @{ $asked{hide} };
  show($asked{write}, 0x2 | 0x4 | 0x8);
  # The system refuses this if the container hides parts of its own /proc; the program then has no /proc.
  if ($asked{spaces}{pid} && mkdir '/proc', 0755) { call('mount', 'proc', '/proc', 'proc', 0x1 | 0x2 | 0x4 | 0x8, 'subset=pid') }
  require_('leave', call('umount2', '/.old', 2));
  rmdir '/.old';
  setAttributes('/', 0x1 | 0x2 | 0x4, 0);
  umask $mask;
}

sub show {
  my ($path, $attributes) = @_;
  my $source = "/.old$path";
  makeFolders($path =~ m{^(.*)/[^/]+$});
  if (-l $source) {
    symlink readlink($source), $path or refuse($path) if !-l $path;
    return;
  }
  return if !-e $source;
  if (-d _) { -d $path or mkdir $path, 0755 or refuse($path) }
  else { -e $path or writeEmpty($path) }
  require_("show $path", call('mount', $source, $path, 0, 0x1000 | 0x4000, 0));
  setAttributes($path, $attributes, 0x8000) if $attributes;
}

sub makeFolders {
  my ($path) = @_;
  my $made = '';
  for my $part (grep { $_ ne '' } split m{/}, $path) {
    $made .= "/$part";
    -d $made or mkdir $made, 0755 or refuse("folder $made");
  }
}

sub writeEmpty {
  my ($path) = @_;
  open my $handle, '>', $path or refuse($path);
  close $handle;
}

sub setAttributes {
  my ($path, $attributes, $flags) = @_;
  my $wanted = pack 'Q4', $attributes, 0, 0, 0;
  require_("restrict $path", call('mount_setattr', -100, $path, $flags, $wanted, length $wanted));
}

# Takes all capabilities and every way to regain one, and allows no core dump.
sub dropRights {
  call('prlimit64', 0, 4, pack('Q2', 0, 0), 0);
  call('prctl', 24, $_) for 0 .. 63;
  if ($asked{uid}) {
    my $groups = '';
    require_('groups', call('setgroups', 0, $groups));
    require_('group', call('setresgid', ($asked{uid} + 0) x 3));
    require_('user', call('setresuid', ($asked{uid} + 0) x 3));
  }
  require_('capabilities', call('capset', pack('L2', 0x20080522, 0), pack('L6', (0) x 6)));
  require_('no new privileges', call('prctl', 38, 1));
}

# The rights of Landlock by their numbers: 0 run, 1 write, 2 read, 3 list, 5 remove, 8 make a file, 14 truncate.
sub restrictPaths {
  my $version = syscall($numbers{landlock_create_ruleset}[$column], 0, 0, 1);
  refuse('landlock') if $version < 1;
  my $fileRights = 0x7 | ($version >= 3 ? 1 << 14 : 0) | ($version >= 5 ? 1 << 15 : 0);
  my $rights = $fileRights | 0x1ff8 | ($version >= 2 ? 1 << 13 : 0);
  # Version 4 and later can forbid TCP; version 6 and later also abstract sockets and signals to other processes.
  my $attributes = pack 'Q3', $rights, 0x3, 0x3;
  my $size = $version >= 6 ? 24 : $version >= 4 ? 16 : 8;
  my $rules = syscall($numbers{landlock_create_ruleset}[$column], $attributes, $size, 0);
  refuse('landlock rules') if $rules < 0;
  my $writing = (0x2 | 0x4 | 0x8 | 0x20 | 0x100 | 1 << 14) & $rights;
  allowPath($rules, $_, 0x1 | 0x4 | 0x8) for @{ $asked{read} };
  allowPath($rules, $_, 0x2 | 0x4) for split / /, $devices;
  allowPath($rules, '/proc', 0x4 | 0x8) if $asked{spaces}{pid} && $asked{view};
  allowPath($rules, $asked{write}, $writing);
  require_('landlock', call('landlock_restrict_self', $rules, 0));
}

sub allowPath {
  my ($rules, $path, $rights) = @_;
  # Opens the path only as a location (O_PATH).
  sysopen my $place, $path, 0x200000 or return;
  $rights &= 0x7 | 1 << 14 if !-d $path;
  my $rule = pack 'Q l', $rights, fileno $place;
  require_("landlock $path", call('landlock_add_rule', $rules, 1, $rule, 0));
}

# Denied calls fail with EPERM; only a program that changes its architecture is killed.
sub restrictCalls {
  my %denied = map { $_ => 1 } grep { !$isAllowed{$_} } keys %numbers;
  if ($asked{spaces}{pid}) { delete @denied{@signalCalls} }
  my $notPermitted = 0x00050001;
  my @program = (
    [0x20, 0, 0, 4], [0x15, 1, 0, $audits{ $asked{arch} }], [0x06, 0, 0, 0x80000000],
    # Nothing uses the second set of numbers on x86-64 (x32): ENOSYS.
    [0x20, 0, 0, 0], [0x35, 0, 1, 0x40000000], [0x06, 0, 0, 0x00050026],
    # A filter cannot see the flags of clone3; after ENOSYS every C library falls back to clone.
    [0x15, 0, 1, $numbers{clone3}[$column]], [0x06, 0, 0, 0x00050026],
    (map { ([0x15, 0, 1, $_], [0x06, 0, 0, $notPermitted]) } grep { defined } map { $numbers{$_}[$column] } sort keys %denied),
    [0x15, 0, 3, $numbers{clone}[$column]],
    [0x20, 0, 0, 16], [0x45, 0, 1, $allSpaces], [0x06, 0, 0, $notPermitted],
  );
  if (!$asked{spaces}{pid}) {
    # A program may abort itself.
    push @program, [0x20, 0, 0, 0], [0x15, 0, 3, $numbers{tgkill}[$column]],
      [0x20, 0, 0, 16], [0x15, 1, 0, $$], [0x06, 0, 0, $notPermitted];
  }
  push @program, [0x06, 0, 0, 0x7fff0000];
  my $code = join '', map { pack 'S C C L', @$_ } @program;
  # 4 (SPEC_ALLOW): a filter would otherwise turn on mitigations of speculation that slow the program down.
  require_('seccomp', call('seccomp', 1, 4, pack('S x6 P', scalar @program, $code)));
}
