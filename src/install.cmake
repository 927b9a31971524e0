# What `cmake --install` lays down, and how other projects find it: pkg-config and find_package(rookery).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rookery)

install(TARGETS rookery EXPORT rookery)
install(TARGETS rookery_laboratory LIBRARY NAMELINK_SKIP)
foreach(level IN ITEMS x86-64-v3 x86-64-v4)
  if(TARGET rookery_${level})
    install(TARGETS rookery_${level} rookery_laboratory_${level}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level} NAMELINK_SKIP)
  endif()
endforeach()
install(FILES ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/librookery.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/rookery ${PROJECT_BINARY_DIR}/include/rookery DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN tune.h EXCLUDE)
install(TARGETS rookery_tool)
if(ROOKERY_SERVER)
  install(TARGETS rookeryd)
  install(FILES conf/rookeryd.conf DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/rookery)
  # The unit names where things really go, which `cmake --install --prefix` may say last.
  install(FILES systemd/rookeryd.socket DESTINATION lib/systemd/system)
  install(CODE "
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE prefix)
    cmake_path(APPEND prefix [[${CMAKE_INSTALL_BINDIR}]] OUTPUT_VARIABLE bindir)
    cmake_path(APPEND prefix [[${CMAKE_INSTALL_SYSCONFDIR}]] OUTPUT_VARIABLE sysconfdir)
    file(READ [[${PROJECT_SOURCE_DIR}/systemd/rookeryd.service]] unit)
    string(REPLACE /usr/bin/ \${bindir}/ unit \"\${unit}\")
    string(REPLACE /etc/rookery/ \${sysconfdir}/rookery/ unit \"\${unit}\")
    file(WRITE [[${PROJECT_BINARY_DIR}/rookeryd.service]] \"\${unit}\")
    file(INSTALL [[${PROJECT_BINARY_DIR}/rookeryd.service]] DESTINATION \${prefix}/lib/systemd/system)")
endif()

install(EXPORT rookery NAMESPACE rookery:: FILE rookery-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(src/rookery-config.cmake.in ${PROJECT_BINARY_DIR}/rookery-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rookery-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rookery-config.cmake ${PROJECT_BINARY_DIR}/rookery-config-version.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(src/rookery.pc.in ${PROJECT_BINARY_DIR}/rookery.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rookery.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
