package io.isle.api.accel;

import io.isle.api.base.Errno;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks of programs of several files. Pure functions. */
final class FileRules {
  private FileRules() {}

  static void checkName(String name) {
    SourceRules.checkText("name", name, SourceFile.MAX_NAME_BYTES);
    SourceRules.checkOneLine("name", name);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\' || c == '\t') {
        throw bad(name, "a double quote, backslash or tab is not allowed");
      }
    }
    for (String part : name.split("/", -1)) {
      if (part.isEmpty()) {
        throw bad(name, "the name must be a relative path without empty parts");
      }
      if (part.equals(".") || part.equals("..")) {
        throw bad(name, "the part \"" + part + "\" is not allowed");
      }
    }
  }

  private static AccelException bad(String name, String why) {
    return new AccelException(Errno.EINVAL, "name: " + name + ": " + why);
  }

  /** A copy that no caller can change. */
  static List<SourceFile> copy(String field, List<SourceFile> some) {
    if (some == null) {
      throw new AccelException(Errno.EINVAL, field + ": is missing");
    }
    try {
      return List.copyOf(some);
    } catch (NullPointerException e) {
      throw new AccelException(Errno.EINVAL, field + ": a file is missing", e);
    }
  }

  static void checkText(String name, String text) {
    if (text == null || !text.isEmpty()) {
      SourceRules.checkText(name, text, ProgramSource.MAX_SOURCE_BYTES);
    }
  }

  /** Checks a whole program: the number of files, their names together and the sum of bytes. */
  static void checkProgram(List<SourceFile> files, List<SourceFile> headers) {
    if (files.isEmpty()) {
      throw new AccelException(Errno.EINVAL, "files: the program has no file to compile");
    }
    int count = files.size() + headers.size();
    if (count > ProgramSource.MAX_FILES) {
      throw new AccelException(
          Errno.EMSGSIZE,
          "files: "
              + count
              + " files and headers are too many; the limit is "
              + ProgramSource.MAX_FILES);
    }
    Set<String> names = new HashSet<>();
    long bytes = 0;
    for (List<SourceFile> some : List.of(files, headers)) {
      for (SourceFile file : some) {
        if (!names.add(file.name())) {
          throw new AccelException(
              Errno.EINVAL, "files: the name " + file.name() + " appears twice");
        }
        bytes += file.size();
      }
    }
    checkFolders(names);
    if (bytes > ProgramSource.MAX_PROGRAM_BYTES) {
      throw new AccelException(
          Errno.EMSGSIZE,
          "files: "
              + bytes
              + " bytes of files and headers are too long; the limit is "
              + ProgramSource.MAX_PROGRAM_BYTES
              + " bytes");
    }
  }

  /** No name may be a folder of another name: compilers may keep files on a disk. */
  private static void checkFolders(Set<String> names) {
    for (String name : names) {
      for (int at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
        if (names.contains(name.substring(0, at))) {
          throw new AccelException(
              Errno.EINVAL,
              "files: " + name.substring(0, at) + " is a file and the folder of " + name);
        }
      }
    }
  }
}
